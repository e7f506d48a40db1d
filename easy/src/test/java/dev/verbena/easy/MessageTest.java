package dev.verbena.easy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Choices;
import dev.verbena.testkit.junit.RdmaGroup;
import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.testkit.junit.RdmaThreads;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.InvalidRequestException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Messages over a network that loses, reorders, duplicates and damages packets, in virtual time.
class MessageTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    private static NodeSettings small(RdmaThreads threads, int window) {
        return NodeSettings.DEFAULT
                .withThreads(threads)
                .withKeepAlive(Duration.ZERO)
                .withMessageBytes(512)
                .withWindow(window);
    }

    @RdmaTest(loss = 0.02, reorder = 0.05, duplicate = 0.01, corrupt = 0.001, seeds = 20)
    void messagesArriveOnceWholeAndInOrder(
            Device left, Device right, RdmaThreads threads, Choices choices) throws IOException {
        int window = choices.between(1, 6);
        int count = 60;
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sent.add(choices.bytes(choices.between(0, 512)));
        }
        try (Two two = new Two(left, right, small(threads, window))) {
            Thread sender =
                    threads.start(
                            "sender",
                            () -> {
                                for (byte[] message : sent) {
                                    two.left.send(message);
                                }
                                two.left.close();
                            });
            for (byte[] expected : sent) {
                assertThat(two.right.receive()).isEqualTo(expected);
            }
            assertThat(two.right.receive()).isNull();
            threads.join(sender);
        }
        assertThat(rnr(left) + rnr(right)).as("receiver not ready").isZero();
    }

    /// Both sides send as much as they can; credits that go back must not need a receive that is
    /// not there.
    @RdmaTest(loss = 0.02, reorder = 0.05, seeds = 20)
    void noReceiveIsEverMissing(Device left, Device right, RdmaThreads threads, Choices choices)
            throws IOException {
        int window = choices.between(1, 8);
        try (Two two = new Two(left, right, small(threads, window))) {
            Thread[] all = new Thread[4];
            MessageChannel[] ends = {two.left, two.right};
            for (int i = 0; i < 2; i++) {
                MessageChannel end = ends[i];
                all[2 * i] =
                        threads.start(
                                "sender " + i,
                                () -> {
                                    for (int n = 0; n < 50; n++) {
                                        end.send(new byte[n]);
                                    }
                                });
                all[2 * i + 1] =
                        threads.start(
                                "receiver " + i,
                                () -> {
                                    for (int n = 0; n < 50; n++) {
                                        assertThat(end.receive(Two.LIMIT)).hasSize(n);
                                    }
                                });
            }
            for (Thread thread : all) {
                threads.join(thread);
            }
        }
        assertThat(rnr(left) + rnr(right)).as("receiver not ready").isZero();
    }

    private static long rnr(Device device) {
        return device.counters().entrySet().stream()
                .filter(it -> it.getKey().contains("rnr"))
                .mapToLong(it -> it.getValue())
                .sum();
    }

    @RdmaTest(seeds = 5)
    void aSlowReaderStopsTheSenderAtItsWindow(
            Device left, Device right, RdmaThreads threads, Choices choices) throws IOException {
        int window = choices.between(1, 40);
        try (Two two = new Two(left, right, small(threads, window))) {
            assertThat(sendUntilFull(two.left)).isEqualTo(window);
            // What is taken makes room, of which less than half the window may be owed still.
            for (int i = 0; i < window; i++) {
                assertThat(two.right.receive(SHORT)).isEqualTo(new byte[] {(byte) i});
            }
            assertThat(sendUntilFull(two.left)).isBetween((window + 1) / 2, window);
        }
    }

    private static int sendUntilFull(MessageChannel channel) throws IOException {
        for (int i = 0; ; i++) {
            MemorySegment message = MemorySegment.ofArray(new byte[] {(byte) i});
            try {
                channel.send(message, SHORT);
            } catch (SocketTimeoutException full) {
                assertThat(full).hasMessageContaining("takes no more messages within 50 ms");
                return i;
            }
        }
    }

    @RdmaTest(loss = 0.01, seeds = 10)
    void messagesOfFuturesKeepTheirOrder(
            RdmaGroup group, Device left, Device right, RdmaThreads threads) throws IOException {
        try (Two two = new Two(left, right, small(threads, 3))) {
            List<CompletableFuture<?>> sent = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                sent.add(two.left.sendAsync(new byte[] {(byte) i}));
            }
            assertThat(sent.getLast()).isNotDone();
            for (int i = 0; i < 20; i++) {
                assertThat(two.right.receive(Two.LIMIT)).isEqualTo(new byte[] {(byte) i});
            }
            while (!sent.getLast().isDone()) {
                group.advance(Duration.ofMillis(1));
            }
            assertThat(sent).noneMatch(CompletableFuture::isCompletedExceptionally);
        }
    }

    @RdmaTest
    void aMessageMayComeByAFutureOrIntoMemory(
            RdmaGroup group, Device left, Device right, RdmaThreads threads) throws IOException {
        try (Two two = new Two(left, right, small(threads, 4));
                Arena arena = Arena.ofConfined()) {
            var coming = two.right.receiveAsync();
            two.left.send(new byte[] {7, 8});
            while (!coming.isDone()) {
                group.advance(Duration.ofMillis(1));
            }
            assertThat(coming.join()).containsExactly(7, 8);
            two.left.send(new byte[] {9});
            MemorySegment into = arena.allocate(10);
            assertThat(two.right.receive(into, Two.LIMIT)).isEqualTo(1);
            assertThat(into.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 9);
            two.left.send(new byte[100]);
            assertThatThrownBy(() -> two.right.receive(into, Two.LIMIT))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("a message of 100 bytes, and memory for 10");
            assertThat(two.right.receive(Two.LIMIT)).hasSize(100);
        }
    }

    @RdmaTest
    void aMessageThatIsTooLongIsRefused(Device left, Device right, RdmaThreads threads)
            throws IOException {
        try (Two two = new Two(left, right, small(threads, 4))) {
            two.left.send(new byte[512]);
            assertThatThrownBy(() -> two.left.send(new byte[513]))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("513 bytes, and messages have at most 512");
            assertThat(two.right.receive(Two.LIMIT)).hasSize(512);
        }
    }

    @RdmaTest(loss = 0.02, seeds = 10)
    void theEndComesAfterWhatWasSent(Device left, Device right, RdmaThreads threads)
            throws IOException {
        try (Two two = new Two(left, right, small(threads, 8))) {
            for (int i = 0; i < 8; i++) {
                two.left.send(new byte[] {(byte) i});
            }
            two.left.close();
            for (int i = 0; i < 8; i++) {
                assertThat(two.right.receive(Two.LIMIT)).isEqualTo(new byte[] {(byte) i});
            }
            assertThat(two.right.receive(Two.LIMIT)).isNull();
            assertThatThrownBy(() -> two.right.send(new byte[1]))
                    .isInstanceOf(ChannelException.class)
                    .hasMessageContaining("has closed the channel");
            assertThatThrownBy(() -> two.left.send(new byte[1]))
                    .isInstanceOf(ChannelException.class)
                    .hasMessageContaining("was closed here");
        }
    }
}
