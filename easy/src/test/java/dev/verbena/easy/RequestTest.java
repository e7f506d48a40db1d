package dev.verbena.easy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.junit.RdmaGroup;
import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.testkit.junit.RdmaThreads;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.WrongStateException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Requests, their deadlines, and what ends them.
class RequestTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    private static int number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getInt();
    }

    private static Thread daemon(RdmaThreads threads, RdmaThreads.Body body) {
        Thread thread =
                threads.newThread(
                        () -> {
                            try {
                                body.run();
                            } catch (Exception failure) {
                                throw new IllegalStateException(failure);
                            }
                        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @RdmaTest(loss = 0.02, reorder = 0.05, duplicate = 0.01, seeds = 20)
    void everyThreadGetsItsOwnReply(Device left, Device right, RdmaThreads threads)
            throws IOException {
        NodeSettings settings =
                NodeSettings.DEFAULT
                        .withThreads(threads)
                        .withKeepAlive(Duration.ZERO)
                        .withWindow(3)
                        .withRequests(2);
        try (Two two = new Two(left, right, settings)) {
            for (int i = 0; i < 2; i++) {
                daemon(threads, () -> two.right.serve(it -> number(number(it) * 2)));
            }
            List<Thread> askers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int first = 100 * i;
                askers.add(
                        threads.start(
                                "asker " + i,
                                () -> {
                                    for (int n = first; n < first + 10; n++) {
                                        int reply = number(two.left.request(number(n)));
                                        assertThat(reply).isEqualTo(2 * n);
                                    }
                                }));
            }
            askers.forEach(threads::join);
        }
    }

    @RdmaTest(seeds = 3)
    void aRequestEndsAtItsDeadline(Device left, Device right, RdmaThreads threads)
            throws IOException {
        try (Two two = new Two(left, right, threads)) {
            long beforeNs = two.leftNode.waits().nowNs();
            assertThatThrownBy(() -> two.left.request(number(1), SHORT))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessageMatching("no reply from .* within 50 ms");
            assertThat(two.leftNode.waits().nowNs() - beforeNs)
                    .isBetween(SHORT.toNanos(), SHORT.toNanos() + 1_000_000);
            // The late reply is the old request's, and not the next one's.
            Request old = two.right.nextRequest();
            daemon(threads, () -> two.right.serve(it -> number(number(it) + 1)));
            assertThat(old).isNotNull();
            old.reply(number(99));
            assertThat(number(two.left.request(number(5)))).isEqualTo(6);
        }
    }

    @RdmaTest
    void requestsWithoutAReplyAreBounded(Device left, Device right, RdmaThreads threads)
            throws IOException {
        NodeSettings settings =
                NodeSettings.DEFAULT
                        .withThreads(threads)
                        .withKeepAlive(Duration.ZERO)
                        .withRequests(3);
        try (Two two = new Two(left, right, settings)) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> two.left.request(number(1), SHORT))
                        .hasMessageContaining("no reply");
            }
            assertThatThrownBy(() -> two.left.request(number(1), SHORT))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessageContaining("requests without a reply take all places");
            // One reply gives one place back.
            Request first = two.right.nextRequest();
            assertThat(first).isNotNull();
            first.reply(number(2));
            daemon(threads, () -> two.right.serve(it -> it));
            assertThat(number(two.left.request(number(7)))).isEqualTo(7);
        }
    }

    @RdmaTest
    void aHandlerThatFailsFailsTheRequestOnly(Device left, Device right, RdmaThreads threads)
            throws IOException {
        try (Two two = new Two(left, right, threads)) {
            daemon(
                    threads,
                    () ->
                            two.right.serve(
                                    it -> {
                                        if (it.length == 0) {
                                            throw new IllegalArgumentException("no\nkey");
                                        }
                                        return it;
                                    }));
            assertThatThrownBy(() -> two.left.request(new byte[0]))
                    .isInstanceOf(RequestFailedException.class)
                    .hasMessageEndingWith("java.lang.IllegalArgumentException: no key");
            assertThat(two.left.request(new byte[] {1})).containsExactly(1);
        }
    }

    @RdmaTest
    void aSecondReplyIsRefused(RdmaGroup group, Device left, Device right, RdmaThreads threads)
            throws IOException {
        try (Two two = new Two(left, right, threads)) {
            var reply = two.left.requestAsync(number(1), Two.LIMIT);
            Request request = two.right.nextRequest();
            assertThat(request).isNotNull();
            request.reply(number(2));
            assertThatThrownBy(() -> request.reply(number(3)))
                    .isInstanceOf(WrongStateException.class)
                    .hasMessageContaining("it was answered already");
            while (!reply.isDone()) {
                group.advance(Duration.ofMillis(1));
            }
            assertThat(number(reply.join())).isEqualTo(2);
        }
    }

    /// One thread waits in each call that can wait.
    private static List<Thread> waitEverywhere(Two two, RdmaThreads threads, List<Throwable> ends) {
        List<RdmaThreads.Body> calls =
                List.of(
                        () -> two.left.receive(),
                        () -> two.left.request(number(1), Duration.ofDays(1)),
                        () -> two.left.nextRequest(),
                        () -> {
                            while (true) {
                                two.left.send(MemorySegment.NULL, Duration.ofDays(1));
                            }
                        });
        List<Thread> started = new ArrayList<>();
        for (RdmaThreads.Body call : calls) {
            started.add(
                    threads.start(
                            "waiter " + started.size(),
                            () -> {
                                try {
                                    call.run();
                                } catch (IOException end) {
                                    ends.add(end);
                                }
                            }));
        }
        return started;
    }

    @RdmaTest(seeds = 20)
    void closeEndsAllWaits(RdmaGroup group, Device left, Device right, RdmaThreads threads)
            throws IOException {
        try (Two two = new Two(left, right, threads)) {
            List<Throwable> ends = new ArrayList<>();
            List<Thread> waiters = waitEverywhere(two, threads, ends);
            group.advance(Duration.ofMillis(1));
            two.left.close();
            waiters.forEach(threads::join);
            assertThat(ends)
                    .hasSize(4)
                    .allSatisfy(
                            it ->
                                    assertThat(it)
                                            .isInstanceOf(ChannelException.class)
                                            .hasMessageContaining("was closed here"));
        }
    }

    @RdmaTest(seeds = 20)
    void thePeersDeathEndsAllWaits(RdmaGroup group, Device left, Device right, RdmaThreads threads)
            throws IOException {
        NodeSettings settings =
                NodeSettings.DEFAULT.withThreads(threads).withKeepAlive(Duration.ofMillis(10));
        Two two = new Two(left, right, settings);
        List<Throwable> ends = new ArrayList<>();
        List<Thread> waiters = waitEverywhere(two, threads, ends);
        group.advance(Duration.ofMillis(1));
        right.close(); // a crash: nothing more leaves
        waiters.forEach(threads::join);
        assertThat(ends)
                .hasSize(4)
                .allSatisfy(it -> assertThat(it).isInstanceOf(ChannelException.class));
        two.leftNode.close();
        two.rightNode.close();
    }

    @RdmaTest
    void aPeerThatDiesInTheMiddleIsExplained(Device left, Device right, RdmaThreads threads)
            throws IOException {
        Two two = new Two(left, right, threads);
        right.close();
        assertThatThrownBy(() -> two.left.request(number(1), Duration.ofSeconds(30)))
                .isInstanceOf(ChannelException.class)
                .hasMessageContaining("has ended without a goodbye: its program ended");
        two.leftNode.close();
        two.rightNode.close();
    }
}
