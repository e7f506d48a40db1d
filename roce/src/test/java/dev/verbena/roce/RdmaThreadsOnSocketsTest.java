package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.verbena.testkit.junit.RdmaPair;
import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.testkit.junit.RdmaThreads;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Threads of an `@RdmaTest` on devices whose time is real: ordinary threads, whose failures count.
@Timeout(60)
class RdmaThreadsOnSocketsTest {
    private static boolean isLaunched;

    static boolean isLaunched() {
        return isLaunched;
    }

    @EnabledIf("dev.verbena.roce.RdmaThreadsOnSocketsTest#isLaunched")
    static class Served {
        @RdmaTest
        void theServerReceives(RdmaPair pair, RdmaThreads threads) {
            pair.right().pair().receives().receive().local(pair.right().memory(), 0, 8).post();
            Thread server = threads.start("server", () -> pair.right().awaitSuccess());
            pair.left().post(pair.right(), batch -> batch.send(pair.left().slice(0, 8)));
            threads.join(server);
            threads.start(
                    "second",
                    () -> {
                        throw new IllegalStateException("no more");
                    });
        }
    }

    @EnabledIf("dev.verbena.roce.RdmaThreadsOnSocketsTest#isLaunched")
    static class ServedForEver {
        @RdmaTest
        void theServerNeverEnds(RdmaPair pair, RdmaThreads threads) {
            Thread server = threads.newThread(() -> pair.right().awaitSuccess());
            server.setDaemon(true);
            server.start();
        }

        @RdmaTest
        void theTestFailsBesideItsServer(RdmaPair pair, RdmaThreads threads) {
            threads.start("server", () -> pair.right().awaitSuccess());
            throw new IllegalStateException("the test's own");
        }
    }

    /// A thread that is interrupted because the test is over throws, and that is no failure.
    @Test
    void aDaemonEndsWithTheTestAndAServerDoesNotHideWhyATestFails() {
        assertThat(messages(ServedForEver.class))
                .satisfiesExactlyInAnyOrder(
                        passed -> assertThat(passed).isEqualTo("nothing was thrown"),
                        failed ->
                                assertThat(failed)
                                        .startsWith(
                                                "java.lang.IllegalStateException: the test's own"));
    }

    @Test
    void aServerReceivesBesideItsClientAndAFailureOfAThreadIsTheTests() {
        assertThat(messages(Served.class))
                .singleElement()
                .asString()
                .startsWith("thread second failed: java.lang.IllegalStateException: no more");
    }

    private static List<String> messages(Class<?> tests) {
        List<String> ended = new ArrayList<>();
        isLaunched = true;
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(tests))
                                .configurationParameter(
                                        "verbena.device", "roce://127.0.0.1,roce://127.0.0.2")
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(
                                    TestIdentifier test, TestExecutionResult result) {
                                if (test.isTest()) {
                                    ended.add(
                                            result.getThrowable()
                                                    .map(Throwable::getMessage)
                                                    .orElse("nothing was thrown"));
                                }
                            }
                        });
        isLaunched = false;
        return ended;
    }
}
