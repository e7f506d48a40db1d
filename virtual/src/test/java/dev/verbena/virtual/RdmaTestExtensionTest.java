package dev.verbena.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.testkit.Choices;
import dev.verbena.testkit.junit.RdmaCompletion;
import dev.verbena.testkit.junit.RdmaGroup;
import dev.verbena.testkit.junit.RdmaHost;
import dev.verbena.testkit.junit.RdmaPair;
import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.QueuePair;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.opentest4j.AssertionFailedError;

/// Runs small test classes, as their authors would, and looks at what those see.
class RdmaTestExtensionTest {
    @TempDir Path directory;

    @LaunchedOnly
    static class Greeting {
        @RdmaTest(loss = 0.02, reorder = 0.05, duplicate = 0.01, corrupt = 0.001, seeds = 25)
        void arrives(RdmaPair pair) {
            pair.left().memory().segment().setString(0, "hello");
            pair.left().write(pair.right(), 0, 6);
            RdmaCompletion done = pair.left().awaitSuccess();
            assertEquals(6, done.byteLength());
            assertEquals("hello", pair.right().memory().segment().getString(0));
        }
    }

    @Test
    void runsOnceForEachSeed() {
        Launch launch = Launch.of(Greeting.class);
        assertThat(launch.statuses()).hasSize(25).containsOnly(Status.SUCCESSFUL);
        assertThat(launch.names()).startsWith("seed 1", "seed 2").endsWith("seed 25");
    }

    @Test
    void theCommandLineChoosesSeeds() {
        assertThat(Launch.of(Greeting.class, Map.of("verbena.seed", "7")).names())
                .containsExactly("seed 7");
        assertThat(Launch.of(Greeting.class, Map.of("verbena.seeds", "60")).names())
                .hasSize(60)
                .endsWith("seed 60");
    }

    @Test
    void theSameClassRunsOnAnotherProvider() {
        Launch launch =
                Launch.of(
                        Greeting.class,
                        Map.of("verbena.device", "loopback://", "verbena.seeds", "3"));
        assertThat(launch.statuses()).hasSize(3).containsOnly(Status.SUCCESSFUL);
        Launch named =
                Launch.of(
                        Greeting.class,
                        Map.of("verbena.device", "loopback://a-{seed}, loopback://b-{run}"));
        assertThat(named.statuses()).hasSize(25).containsOnly(Status.SUCCESSFUL);
        assertThat(launch.refused).isEmpty();
    }

    @Test
    void faultsThatAProviderHasNotAreToldOnce() {
        PrintStream before = System.err;
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
        try {
            // A scheme that differs by case only is the same provider, and has not been told of.
            Launch.of(Greeting.class, Map.of("verbena.device", "LOOPBACK://"));
            Launch.of(Greeting.class, Map.of("verbena.device", "LOOPBACK://"));
        } finally {
            System.setErr(before);
        }
        assertThat(told.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "verbena: LOOPBACK:// injects no faults; tests run without the ones they"
                            + " ask for, such as loss 0.02, duplicate 0.01, reorder 0.05, corrupt"
                            + " 0.001 of RdmaTestExtensionTest$Greeting.arrives");
    }

    @LaunchedOnly
    static class Impatient {
        @RdmaTest(loss = 0.05, seeds = 100)
        void doesNotWait(RdmaPair pair) {
            pair.left().memory().segment().set(ValueLayout.JAVA_LONG, 0, 42);
            pair.left().write(pair.right(), 0, 8);
            pair.advance(Duration.ofNanos(3_000));
            assertEquals(42, pair.right().memory().segment().get(ValueLayout.JAVA_LONG, 0));
        }
    }

    @Test
    void theFirstSeedThatFailsEndsTheTestAndIsReplayedByItsNumber() {
        Launch launch = Launch.of(Impatient.class);
        int runs = launch.ended.size();
        assertThat(launch.statuses().subList(0, runs - 1)).containsOnly(Status.SUCCESSFUL);
        assertThat(launch.last().status()).isEqualTo(Status.FAILED);
        assertThat(runs).isBetween(2, 99);
        assertThat(launch.last().name()).isEqualTo("seed " + runs);
        assertThat(launch.last().message())
                .isEqualTo(
                        """
                        expected: <42> but was: <0>

                            seed     %1$d, number %1$d of 100
                            faults   loss 0.05
                            replay   mvn test -Dtest='RdmaTestExtensionTest$Impatient#doesNotWait' \
                        -Dverbena.seed=%1$d
                                     VERBENA_SEED=%1$d gradle test \
                        --tests '*RdmaTestExtensionTest*Impatient.doesNotWait'
                            packets  add -Dverbena.pcap=target/pcap to keep them\
                        """
                                .formatted(runs));

        Launch replay = Launch.of(Impatient.class, Map.of("verbena.seed", Integer.toString(runs)));
        assertThat(replay.ended).hasSize(1);
        assertThat(replay.last().message())
                .startsWith("expected: <42> but was: <0>")
                .contains("seed     " + runs + "\n");
    }

    @Test
    void theFailureIsWhereItWasAndComparesWhatItCompared() {
        Launch launch = Launch.of(Impatient.class);
        assertThat(launch.last().thrown()).isInstanceOf(AssertionFailedError.class);
        AssertionFailedError thrown = (AssertionFailedError) launch.last().thrown();
        assertThat(thrown.getExpected().getStringRepresentation()).isEqualTo("42");
        assertThat(Stream.of(thrown.getStackTrace()).map(it -> it.getMethodName()))
                .contains("doesNotWait");
        assertThat(thrown.getCause()).isNull();
    }

    @Test
    void packetsOfTheFailureAreKeptAndNamed() throws IOException {
        Map<String, String> pcap = Map.of("verbena.pcap", directory.toString());
        Launch launch = Launch.of(Impatient.class, pcap);
        int seed = launch.ended.size();
        Path file =
                directory.resolve(
                        "RdmaTestExtensionTest$Impatient.doesNotWait-" + seed + ".pcapng");
        assertThat(launch.last().message()).contains("packets  verbena decode '" + file + "'");
        try (Stream<Path> kept = Files.list(directory)) {
            assertThat(kept).containsExactly(file);
        }

        byte[] first = Files.readAllBytes(file);
        Launch.of(
                Impatient.class,
                Map.of(
                        "verbena.pcap",
                        directory.toString(),
                        "verbena.seed",
                        Integer.toString(seed)));
        assertThat(Files.readAllBytes(file)).isEqualTo(first).hasSizeGreaterThan(100);
    }

    @Test
    void aFailureOnAnotherProviderSaysWhatItLacks() {
        Launch launch = Launch.of(Failing.class, Map.of("verbena.device", "loopback://"));
        assertThat(launch.last().message())
                .contains("faults   none, because loopback:// has none; asked for: loss 0.5")
                .contains("-Dverbena.seed=5 -Dverbena.device=loopback://")
                .contains("VERBENA_DEVICE=loopback:// VERBENA_SEED=5 gradle")
                .contains("packets  not written by loopback://");
    }

    @LaunchedOnly
    static class Failing {
        static @Nullable Device device;

        @RdmaTest(seed = 5, loss = 0.5)
        void breaks(Device left) {
            device = left;
            throw new IllegalStateException("the program broke");
        }
    }

    @Test
    void everythingIsClosedAlsoAfterAFailureAndTheCauseIsKept() {
        Launch launch = Launch.of(Failing.class);
        assertThat(launch.last().message())
                .startsWith(
                        "java.lang.IllegalStateException: the program broke\n\n    seed     5\n");
        assertThat(launch.last().thrown()).hasCauseInstanceOf(IllegalStateException.class);
        Device left = Failing.device;
        assertThat(left).isNotNull();
        assertThatThrownBy(left::progress).isInstanceOf(ClosedException.class);
    }

    @LaunchedOnly
    static class Leaking {
        @RdmaTest
        void opensOneMore(RdmaGroup group) {
            group.open("closed").close();
            group.open("forgotten");
        }
    }

    @Test
    void aDeviceLeftOpenFailsTheTest() {
        Launch launch = Launch.of(Leaking.class);
        assertThat(launch.last().status()).isEqualTo(Status.FAILED);
        assertThat(launch.last().message())
                .startsWith("the test left a device open: forgotten\n")
                .contains("-Dverbena.seed=1");
    }

    @LaunchedOnly
    static class Trio {
        private static final List<Long> DRAWN = Collections.synchronizedList(new ArrayList<>());

        private @Nullable RdmaGroup prepared;

        @BeforeEach
        void prepare(RdmaGroup group) {
            prepared = group;
        }

        @RdmaTest(hosts = 3, loss = 0.05, seeds = 5)
        void everyHostReachesEveryOther(
                RdmaGroup group, RdmaHost first, RdmaHost second, Device one, Choices choices) {
            assertSame(prepared, group);
            assertSame(group.host(1), second);
            assertSame(first.device(), one);
            DRAWN.add(choices.bits(64));
            for (RdmaHost from : group.hosts()) {
                for (RdmaHost to : group.hosts()) {
                    if (from != to) {
                        from.memory().segment().set(ValueLayout.JAVA_BYTE, 64, (byte) 7);
                        from.write(to, 64, 1);
                        from.awaitSuccess();
                        assertEquals(7, to.memory().segment().get(ValueLayout.JAVA_BYTE, 64));
                        to.memory().segment().set(ValueLayout.JAVA_BYTE, 64, (byte) 0);
                    }
                }
            }
        }

        @RdmaTest
        void pairsAreTheTwoEnds(QueuePair left, QueuePair right, RdmaPair pair) {
            assertSame(pair.left().pair(), left);
            assertSame(pair.right().pairTo(pair.left()), right);
            assertNotEquals(left.number(), pair.left().connect(pair.right()).number());
        }
    }

    @Test
    void hostsComeInGroupsOrOneByOne() {
        Trio.DRAWN.clear();
        Launch launch = Launch.of(Trio.class);
        assertThat(launch.statuses()).hasSize(6).containsOnly(Status.SUCCESSFUL);
        assertThat(Trio.DRAWN).hasSize(5).doesNotHaveDuplicates();
        List<Long> first = List.copyOf(Trio.DRAWN);
        Trio.DRAWN.clear();
        Launch.of(Trio.class);
        assertThat(Trio.DRAWN).isEqualTo(first);
    }

    @LaunchedOnly
    static class Waiting {
        @RdmaTest(delay = "1ms")
        void forSomething(RdmaPair pair) {
            pair.left().memory().segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
            pair.left().write(pair.right(), 0, 1);
            pair.advance(Duration.ofNanos(999_000));
            assertEquals(0, pair.right().memory().segment().get(ValueLayout.JAVA_BYTE, 0));
            pair.awaitUntil(
                    "the byte is there",
                    () -> pair.right().memory().segment().get(ValueLayout.JAVA_BYTE, 0) == 1);
            pair.awaitUntil("the sun goes down", () -> false);
        }

        @RdmaTest
        void forACompletion(RdmaPair pair) {
            pair.right().awaitCompletion();
        }

        @RdmaTest
        void forADeadPeer(RdmaPair pair) {
            pair.right().device().close();
            pair.left().write(pair.right(), 0, 1);
            pair.left().awaitSuccess();
        }

        @RdmaTest
        void forNothingAtAll(RdmaPair pair) {
            assumeTrue(false, "not today");
        }
    }

    @Test
    void waitingHasLimitsInVirtualTime() {
        Launch launch = Launch.of(Waiting.class);
        assertThat(launch.ended)
                .extracting(it -> it.message().lines().findFirst().orElse(""))
                .containsExactlyInAnyOrder(
                        "waited 10s in vain: the sun goes down",
                        "no completion came to right within 10s",
                        "request 0 of left failed: "
                                + CompletionStatus.RETRY_EXCEEDED
                                        .explanation()
                                        .lines()
                                        .findFirst()
                                        .orElseThrow(),
                        "Assumption failed: not today");
        assertThat(launch.statuses())
                .containsOnlyOnce(Status.ABORTED)
                .doesNotContain(Status.SUCCESSFUL);
    }
}
