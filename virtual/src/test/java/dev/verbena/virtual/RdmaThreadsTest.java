package dev.verbena.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.testkit.junit.RdmaGroup;
import dev.verbena.testkit.junit.RdmaHost;
import dev.verbena.testkit.junit.RdmaPair;
import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.testkit.junit.RdmaThreads;
import dev.verbena.verbs.Device;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.TestExecutionResult.Status;

/// Tests with threads of their own, and what their authors see.
@Timeout(120)
class RdmaThreadsTest {
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private static Stream<String> methods(Throwable thrown) {
        return Stream.of(thrown.getStackTrace()).map(StackTraceElement::getMethodName);
    }

    @LaunchedOnly
    static class Ordered {
        static final List<String> ORDERS = new ArrayList<>();

        @RdmaTest(hosts = 4, seeds = 12)
        void threadsRunByTurns(RdmaGroup group, RdmaThreads threads) {
            StringBuilder order = new StringBuilder();
            List<Thread> all = new ArrayList<>();
            for (RdmaHost host : group.hosts().subList(1, 4)) {
                all.add(
                        threads.start(
                                host.name(),
                                () -> {
                                    for (int i = 0; i < 3; i++) {
                                        host.write(group.host(0), 0, 8);
                                        host.awaitSuccess();
                                        order.append(host.name().charAt(4));
                                    }
                                }));
            }
            all.forEach(threads::join);
            assertEquals(9, order.length());
            ORDERS.add(order.toString());
        }
    }

    @Test
    void theSeedAloneDecidesTheOrderOfThreads() {
        Ordered.ORDERS.clear();
        assertThat(Launch.of(Ordered.class).statuses()).hasSize(12).containsOnly(Status.SUCCESSFUL);
        List<String> first = List.copyOf(Ordered.ORDERS);
        assertThat(new HashSet<>(first)).as("orders of 12 seeds").hasSizeGreaterThan(3);
        for (int i = 0; i < 5; i++) {
            Ordered.ORDERS.clear();
            Launch.of(Ordered.class);
            assertThat(Ordered.ORDERS).isEqualTo(first);
        }
    }

    @Test
    void threadsTakeTurnsOnLoopbackToo() {
        assertThat(Launch.of(Ordered.class, Map.of("verbena.device", "loopback://")).statuses())
                .hasSize(12)
                .containsOnly(Status.SUCCESSFUL);
    }

    @LaunchedOnly
    static class Throwing {
        static boolean goesOn;

        @RdmaTest(loss = 0.1, seed = 7)
        void theServerBreaks(RdmaPair pair, RdmaThreads threads) {
            threads.start(
                    "server",
                    () -> {
                        pair.left().completions().await(Duration.ofNanos(3_000), _ -> {});
                        throw new IllegalStateException("no more");
                    });
            pair.right().completions().await(Duration.ofSeconds(1), _ -> {});
            goesOn = true;
        }
    }

    @Test
    void aThreadThatThrowsFailsTheTestAtOnceByNameAndSeed() {
        Throwing.goesOn = false;
        Launch.Ended last = Launch.of(Throwing.class).last();
        assertThat(last.message())
                .startsWith("thread server failed at 3,000 ns: java.lang.IllegalStateException")
                .contains("-Dverbena.seed=7");
        assertThat(last.thrown()).cause().hasMessage("no more");
        assertThat(Throwing.goesOn).isFalse();
    }

    @LaunchedOnly
    static class ThrowingLate {
        @RdmaTest
        void theTestHasEndedBefore(RdmaPair pair, RdmaThreads threads) {
            threads.start("server", () -> assertEquals("this", "that"));
        }
    }

    @Test
    void theTestWaitsForItsThreadsAndSeesThemFail() {
        assertThat(Launch.of(ThrowingLate.class).last().message())
                .startsWith("thread server failed at 0 ns")
                .contains("expected: <this> but was: <that>");
    }

    @LaunchedOnly
    static class Blocking {
        @RdmaTest
        void theServerTakesALock(RdmaPair pair, RdmaThreads threads) {
            threads.patience(Duration.ofMillis(200));
            CountDownLatch never = new CountDownLatch(1);
            threads.start("server", () -> blockElsewhere(never));
            pair.advance(Duration.ofSeconds(1));
        }

        @RdmaTest
        void theTestJoinsByTheThreadItself(RdmaPair pair, RdmaThreads threads)
                throws InterruptedException {
            threads.patience(Duration.ofMillis(200));
            threads.start("server", () -> pair.advance(Duration.ofNanos(1_000))).join();
        }

        private static void blockElsewhere(CountDownLatch never) throws InterruptedException {
            never.await();
        }
    }

    @Test
    void aThreadThatBlocksElsewhereIsShownWithItsStack() {
        Launch launch = Launch.of(Blocking.class);
        Launch.Ended server = launch.ended.getFirst();
        Launch.Ended test = launch.last();
        if (!methods(server.thrown()).toList().contains("blockElsewhere")) {
            server = launch.last();
            test = launch.ended.getFirst();
        }
        assertThat(server.message())
                .startsWith("thread server has had the baton for 200 ms")
                .contains("wait with RdmaThreads.join")
                .contains("-Dverbena.seed=1");
        assertThat(methods(server.thrown())).contains("blockElsewhere", "await");
        assertThat(test.message())
                .startsWith("thread %s has had".formatted(Thread.currentThread().getName()));
        assertThat(methods(test.thrown())).contains("theTestJoinsByTheThreadItself", "join");
        assertThat(Thread.interrupted()).as("left interrupted").isFalse();
    }

    @LaunchedOnly
    static class Spinning {
        static final List<Boolean> INTERRUPTED = new ArrayList<>();

        @AfterEach
        void end() {
            INTERRUPTED.add(Thread.currentThread().isInterrupted());
        }

        @RdmaTest
        void theTestLooksAtMemoryOnly(RdmaPair pair, RdmaThreads threads) {
            threads.patience(Duration.ofMillis(200));
            threads.start("server", () -> pair.advance(Duration.ofNanos(1_000)));
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aTestThatSpinsIsInterruptedAndWhatFollowsIsNot() {
        Spinning.INTERRUPTED.clear();
        assertThat(Launch.of(Spinning.class).last().message())
                .contains("has had the baton for 200 ms, and made no call of verbs that waits");
        assertThat(Spinning.INTERRUPTED).containsExactly(false);
    }

    @LaunchedOnly
    static class Foreign {
        static final List<String> REFUSED = new ArrayList<>();

        @RdmaTest
        void anotherThreadCalls(RdmaPair pair, RdmaThreads threads) throws InterruptedException {
            threads.start("server", () -> pair.advance(Duration.ofNanos(1_000)));
            Thread.ofPlatform().name("helper").start(() -> attempt(pair.left().device())).join();
        }

        private static void attempt(Device device) {
            try {
                device.completionQueue(1);
            } catch (RuntimeException thrown) {
                REFUSED.add(thrown.getMessage());
            }
        }
    }

    @Test
    void aThreadThatIsNoneOfThemIsRefusedByName() {
        Foreign.REFUSED.clear();
        assertThat(Launch.of(Foreign.class).statuses()).containsOnly(Status.SUCCESSFUL);
        assertThat(Foreign.REFUSED)
                .singleElement()
                .asString()
                .contains("thread helper calls a device, and thread")
                .contains("start it with RdmaThreads");
    }

    @LaunchedOnly
    static class HandedOver {
        @RdmaTest
        void oneThreadAfterTheOther(RdmaPair pair) {
            pair.left().write(pair.right(), 0, 8);
            CompletableFuture.runAsync(() -> pair.left().awaitSuccess()).join();
            pair.left().write(pair.right(), 0, 8);
            pair.left().awaitSuccess();
        }
    }

    @Test
    void withoutThreadsOfItsOwnATestMayHandItsHostsOver() {
        assertThat(Launch.of(HandedOver.class).statuses()).containsOnly(Status.SUCCESSFUL);
    }

    @LaunchedOnly
    static class Daemon {
        static final List<String> LOG = new ArrayList<>();

        @RdmaTest
        void theServerServesForEver(RdmaGroup group, RdmaThreads threads) {
            Thread server =
                    threads.newThread(
                            () -> {
                                try (Device device = group.open("own")) {
                                    LOG.add("opened");
                                    while (device.completionQueue(1).await(FOREVER, _ -> {})
                                            == 0) {}
                                } finally {
                                    LOG.add("ended");
                                }
                            });
            server.setDaemon(true);
            server.start();
            group.advance(Duration.ofNanos(1_000));
            LOG.add("over");
        }
    }

    @Test
    void aDaemonEndsWithTheTestAndTidiesUp() {
        Daemon.LOG.clear();
        Launch launch = Launch.of(Daemon.class);
        assertThat(launch.ended)
                .extracting(Launch.Ended::message)
                .containsOnly("nothing was thrown");
        assertThat(Daemon.LOG).containsExactly("opened", "over", "ended");
    }

    @LaunchedOnly
    static class Endless {
        @RdmaTest
        void theServerServesForEver(RdmaPair pair, RdmaThreads threads) {
            threads.start("server", () -> serve(pair));
        }

        private static void serve(RdmaPair pair) {
            while (true) {
                pair.advance(Duration.ofMillis(1));
            }
        }
    }

    @Test
    void aThreadThatGoesOnAfterTheTestIsShownWithItsStack() {
        Launch.Ended last = Launch.of(Endless.class).last();
        assertThat(last.message())
                .startsWith("thread server still runs 10s after the test's end")
                .contains("setDaemon(true)");
        assertThat(methods(last.thrown().getSuppressed()[0])).contains("serve");
    }

    @LaunchedOnly
    static class Stuck {
        @RdmaTest
        void eachWaitsForTheOther(RdmaPair pair, RdmaThreads threads) {
            threads.start("server", () -> pair.right().completions().await(FOREVER, _ -> {}));
            pair.left().completions().await(FOREVER, _ -> {});
        }
    }

    @Test
    void threadsThatWaitForEverAreShown() {
        Launch.Ended last = Launch.of(Stuck.class).last();
        assertThat(last.message())
                .startsWith("nothing will ever happen after 0 ns")
                .contains("server");
        assertThat(last.thrown().getSuppressed()).hasSize(2);
    }

    @LaunchedOnly
    static class Around {
        static final List<String> LOG = new ArrayList<>();
        private boolean isServed;

        @BeforeEach
        void begin(RdmaPair pair, RdmaThreads threads) {
            threads.start(
                    "server",
                    () -> {
                        pair.right().awaitSuccess();
                        isServed = true;
                    });
        }

        @RdmaTest
        void asks(RdmaPair pair) {
            pair.right().pair().receives().receive().local(pair.right().memory(), 0, 8).post();
            pair.left().post(pair.right(), batch -> batch.send(pair.left().slice(0, 8)));
        }

        @AfterEach
        void end(RdmaPair pair) {
            LOG.add("served " + isServed);
            pair.left().write(pair.right(), 0, 8);
            pair.left().awaitSuccess();
        }
    }

    @Test
    void threadsMayStartBeforeTheTestAndHaveEndedAfterIt() {
        Around.LOG.clear();
        assertThat(Launch.of(Around.class).statuses()).containsOnly(Status.SUCCESSFUL);
        assertThat(Around.LOG).containsExactly("served true");
    }

    @LaunchedOnly
    static class Polling {
        @RdmaTest
        void aThreadPollsForLong(RdmaPair pair, RdmaThreads threads) {
            threads.patience(Duration.ofMillis(100));
            Thread sleeper = threads.newThread(() -> pair.advance(Duration.ofSeconds(50)));
            sleeper.setDaemon(true);
            sleeper.start();
            long endNs = System.nanoTime() + 400_000_000;
            while (System.nanoTime() < endNs) {
                assertEquals(null, pair.left().completions().poll());
            }
        }
    }

    @Test
    void aThreadThatPollsForLongIsNotTakenForBlocked() {
        Launch launch = Launch.of(Polling.class);
        assertThat(launch.last().message()).isEqualTo("nothing was thrown");
    }

    @LaunchedOnly
    static class Mistaken {
        @RdmaTest
        void joinsAForeignThread(RdmaPair pair, RdmaThreads threads) {
            threads.join(Thread.currentThread());
        }

        @RdmaTest
        void joinsBeforeTheStart(RdmaPair pair, RdmaThreads threads) {
            threads.join(threads.newThread(() -> {}));
        }

        @RdmaTest
        void setsALimitTooLate(RdmaPair pair, RdmaThreads threads) {
            threads.start("server", () -> {});
            threads.patience(Duration.ofSeconds(1));
        }

        @RdmaTest
        void setsALimitOfNothing(RdmaPair pair, RdmaThreads threads) {
            threads.patience(Duration.ZERO);
        }

        @RdmaTest
        void setsALimitThatNoClockHas(RdmaPair pair, RdmaThreads threads) {
            threads.virtualLimit(Duration.ofSeconds(Long.MAX_VALUE));
        }

        @RdmaTest
        void startsTheFirstElsewhere(RdmaPair pair, RdmaThreads threads) {
            CompletableFuture.runAsync(() -> threads.start("server", () -> {})).join();
        }
    }

    @Test
    void mistakesAreAnsweredWithTheRemedy() {
        assertThat(Launch.of(Mistaken.class).ended)
                .extracting(it -> it.message().lines().findFirst().orElse(""))
                .anySatisfy(it -> assertThat(it).endsWith("is none of these: use its own join"))
                .anySatisfy(it -> assertThat(it).endsWith("was not started, so it never ends"))
                .anySatisfy(it -> assertThat(it).endsWith("before the first thread starts"))
                .anySatisfy(
                        it -> assertThat(it).contains("PT0S: use more than 0, at most 365 days"))
                .anySatisfy(it -> assertThat(it).endsWith("7S: use more than 0, at most 365 days"))
                .anySatisfy(it -> assertThat(it).endsWith("it, to take turns with it"));
    }
}
