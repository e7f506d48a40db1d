package dev.verbena.conformance.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SansIoRuleTest {
    private static final String MAIN = "transport/src/main/java/dev/verbena/transport/A.java";
    private static final String TEST = "cli/src/test/java/dev/verbena/cli/ATest.java";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "long t = System.nanoTime();",
                "long t = java.lang.System.currentTimeMillis();",
                "Object t = java.time.Instant.now();",
                "LongSupplier t = System::nanoTime;",
                "Object s = new java.net.Socket();",
                "Object s = java.nio.channels.DatagramChannel.open();",
                "Object a = java.net.InetAddress.getByName(host);",
                "void m() { new Thread(this::run).start(); }",
                "void m() { Thread.ofVirtual(); }",
                "Object f = java.util.concurrent.CompletableFuture.supplyAsync(this::m);",
                "Object f = list.parallelStream();",
                "double r = Math.random();",
                "Object r = new java.util.Random();",
                "Object r = new java.security.SecureRandom(seed);",
                "Object r = java.util.UUID.randomUUID();",
                "void m() { java.util.Collections.shuffle(list); }",
                "Object f = new java.io.FileInputStream(name);",
                "Object f = java.nio.file.Files.readString(path);",
                "String p = System.getProperty(name);",
                "int p = Integer.getInteger(name);",
                "void m() { System.out.println(); }",
                "void m() { IO.println(); }"
            })
    void refusesInAProtocolModule(String member) {
        assertThat(found(MAIN, "class A { " + member + " }")).as(member).isNotEmpty();
        String provider = "roce/src/main/java/dev/verbena/roce/A.java";
        assertThat(found(provider, "class A { " + member + " }")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import java.net.Socket;",
                "import java.net.*;",
                "import java.nio.file.Path;",
                "import java.io.File;",
                "import java.util.concurrent.Executors;",
                "import java.util.Timer;",
                "import static java.lang.System.nanoTime;",
                "import static java.lang.Thread.*;"
            })
    void refusesTheImport(String line) {
        assertThat(found(MAIN, line + " class A {}")).as(line).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import java.util.*; class A { Object r = new SplittableRandom(); }",
                "import java.util.SplittableRandom; class A { Object r = new SplittableRandom(); }",
                "import java.util.concurrent.*; class A { ExecutorService s; }",
                "import static java.lang.System.*; class A { long t = nanoTime(); }",
                "import java.net.*; class A { List<String> l; }",
                "import module java.base; class A { List<String> l; }",
                "import java.time.*; class A { Object n = LocalDateTime.now(); }",
                "import java.util.concurrent.CompletionStage; class A { Object s ="
                        + " t.thenRunAsync(r); }"
            })
    void followsStarsAndModulesToTheUse(String text) {
        assertThat(found(MAIN, text)).as(text).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import java.net.Inet6Address; class A { Inet6Address a; }",
                "import java.nio.channels.ReadableByteChannel; class A { ReadableByteChannel c; }",
                "import java.io.InputStream; class A { InputStream in; }",
                "import java.util.*; class A { Object r = new SplittableRandom(seed); List<A> l; }",
                "import java.util.*; class A { void m() { Collections.shuffle(list, random); } }",
                "import java.time.*; class A { Duration d = Duration.ofNanos(1); }",
                "class A { enum Timer { ACK } Timer timer = Timer.ACK; }",
                "import java.util.*; class A { class Timer {} Timer timer; }",
                "import dev.verbena.transport.Thread; class A { Thread t; }",
                "/// Never calls [java.lang.System#nanoTime].\nclass A { String s = \"Thread\"; }"
            })
    void letsPass(String text) {
        assertThat(found(MAIN, text)).as(text).isEmpty();
    }

    @Test
    void knowsTheTypesOfTheSamePackage() {
        String timer = "transport/src/main/java/dev/verbena/transport/Timer.java";
        String use = "package a; import java.util.*; class A { Timer timer; }";
        assertThat(found(Map.of(MAIN, use, timer, "package a; enum Timer {}"))).isEmpty();
        assertThat(found(Map.of(MAIN, use, timer, "package b; enum Timer {}"))).hasSize(1);
    }

    @Test
    void refusesSleepAndChanceInTheTestsOfAnyModule() {
        assertThat(found(TEST, "class A { void m() { Thread.sleep(1); } }"))
                .containsExactly(
                        TEST
                                + ":1 sans-io: Thread.sleep waits for real time: use virtual time,"
                                + " or testkit's Wait for a condition");
        String parks =
                "import java.util.concurrent.locks.LockSupport;"
                        + " class A { { LockSupport.parkNanos(1); } }";
        assertThat(found(TEST, parks)).hasSize(1);
        String units =
                "import java.util.concurrent.TimeUnit; class A { { TimeUnit.DAYS.sleep(1); } }";
        assertThat(found(TEST, units)).hasSize(1);
        assertThat(found(TEST, "import java.util.Random; class A { Object r = new Random(); }"))
                .hasSize(1);
        assertThat(found(TEST, "class A { Thread t; long n = System.nanoTime(); }")).isEmpty();
        assertThat(found(TEST, "import java.util.Random; class A { Object r = new Random(7); }"))
                .isEmpty();
    }

    @Test
    void letsOneClassOfTheTestkitSleep() {
        String place = "testkit/src/main/java/dev/verbena/testkit/";
        String sleeps = "class A { void m() { Thread.sleep(1); } }";
        assertThat(found(place + "Wait.java", sleeps)).isEmpty();
        assertThat(found(place + "Seed.java", sleeps)).hasSize(1);
        String suite = "conformance/src/main/java/dev/verbena/conformance/";
        assertThat(found(suite + "Wait.java", sleeps)).hasSize(1);
    }

    private static List<String> found(String path, String text) {
        return found(Map.of(path, text));
    }

    private static List<String> found(Map<String, String> texts) {
        return new SansIoRule()
                .check(SourceTree.of(texts)).stream().map(Finding::toString).toList();
    }
}
