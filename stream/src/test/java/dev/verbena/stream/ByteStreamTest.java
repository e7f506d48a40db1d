package dev.verbena.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.virtual.VirtualSettings;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteStreamTest {
    private static final long LIMIT_NS = 20_000_000_000L;
    private static final StreamSettings SMALL =
            StreamSettings.DEFAULT.withSendBytes(8192).withReceiveBytes(4096).withCredits(16);

    private static TwoEnds ends() {
        return new TwoEnds(VirtualSettings.DEFAULT, SMALL);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(ByteStream from) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(1 << 14);
        from.read(into);
        return new String(into.array(), 0, into.position(), StandardCharsets.UTF_8);
    }

    @Test
    void carriesBytesBothWays() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            pair[0].write(bytes("there"));
            pair[1].write(bytes("back"));
            assertThat(ends.run(() -> pair[1].available() == 5, LIMIT_NS)).isTrue();
            assertThat(ends.run(() -> pair[0].available() == 4, LIMIT_NS)).isTrue();
            assertThat(text(pair[1])).isEqualTo("there");
            assertThat(text(pair[0])).isEqualTo("back");
        }
    }

    @Test
    void whatIsAcceptedAndClosedAtOnceEndsInOrder() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream from = ends.leftGroup.connect(ends.address());
            ByteStream to = ends.rightGroup.accept(ends.request());
            assertThat(to.isConnected()).isFalse();
            to.close();
            assertThat(ends.run(from::isInputEnded, LIMIT_NS)).isTrue();
            assertThat(from.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThat(ends.run(to::isReleased, LIMIT_NS)).isTrue();
        }
    }

    @Test
    void aSlowReaderStopsTheWriterWithinBothRings() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            long[] written = {0};
            ByteBuffer from = ByteBuffer.allocate(1000);
            ends.run(
                    () -> {
                        try {
                            from.clear();
                            written[0] += pair[0].write(from);
                        } catch (IOException failed) {
                            throw new AssertionError(failed);
                        }
                        return false;
                    },
                    50_000_000L);
            assertThat(written[0]).isEqualTo(8192 + 4096);
            assertThat(pair[1].available()).isEqualTo(4096);
        }
    }

    /// Each message ends with a packet that is no longer than the others, so that all but its first
    /// packet leave by one system call.
    @Test
    void aHalfOfTheUsualRingIsOneMessageOfWholeTrains() throws IOException {
        try (TwoEnds ends = new TwoEnds(VirtualSettings.DEFAULT, StreamSettings.DEFAULT)) {
            ByteStream[] pair = ends.connect();
            assertThat(ends.run(() -> pair[0].room() == 2 * 65_532, LIMIT_NS)).isTrue();
            // What the ends say to each other at the beginning is also written.
            ends.run(() -> false, 50_000_000L);
            long before = writes(ends);
            assertThat(pair[0].write(ByteBuffer.allocate(1 << 17))).isEqualTo(2 * 65_532);
            assertThat(ends.run(() -> pair[1].available() == 2 * 65_532, LIMIT_NS)).isTrue();
            assertThat(writes(ends) - before).isEqualTo(2);
        }
    }

    private static long writes(TwoEnds ends) {
        return ends.right.counters().getOrDefault("rx_write_requests", 0L);
    }

    @ParameterizedTest
    @CsvSource({
        "4096, 4096",
        "131008, 131008",
        "131072, 131064",
        "196608, 196600",
        "1048576, 1048512"
    })
    void aRingIsFilledByMessagesOfWholeTrains(int ring, int filled) {
        assertThat(Message.filled(ring)).isEqualTo(filled);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "65532, 65532", "65536, 65536", "65537, 65532", "524256, 65532"})
    void aLongMessageLeavesInWholeTrains(long bytes, int message) {
        assertThat(Message.dataOf(bytes)).isEqualTo(message);
    }

    @Test
    void goesOnWhenTheReaderReads() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            pair[0].write(ByteBuffer.allocate(8192));
            assertThat(ends.run(() -> pair[1].available() == 4096, LIMIT_NS)).isTrue();
            assertThat(pair[1].read(ByteBuffer.allocate(2048))).isEqualTo(2048);
            assertThat(ends.run(() -> pair[1].available() == 4096, LIMIT_NS)).isTrue();
            assertThat(pair[1].read(ByteBuffer.allocate(4096))).isEqualTo(4096);
            assertThat(ends.run(() -> pair[1].available() == 2048, LIMIT_NS)).isTrue();
        }
    }

    /// They have 16 bits.
    @Test
    void goesOnWhenTheNumbersOfMessagesBeginAgain() throws IOException {
        try (TwoEnds ends = new TwoEnds(VirtualSettings.DEFAULT, SMALL.withCredits(128))) {
            ByteStream[] pair = ends.connect();
            int together = 60;
            ByteBuffer into = ByteBuffer.allocate(2 * together);
            // Bytes that wait for credit become one message.
            while (writes(ends) < 66_000) {
                for (int i = 0; i < together; i++) {
                    assertThat(pair[0].write(ByteBuffer.allocate(1))).isEqualTo(1);
                }
                assertThat(ends.run(() -> pair[1].available() == together, LIMIT_NS))
                        .as("after %d messages", writes(ends))
                        .isTrue();
                assertThat(pair[1].read(into.clear())).isEqualTo(together);
            }
        }
    }

    @Test
    void endsOneDirectionAndUsesTheOther() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            pair[0].write(bytes("question"));
            pair[0].endOutput();
            assertThat(ends.run(pair[1]::isInputEnded, LIMIT_NS)).isTrue();
            assertThat(text(pair[1])).isEqualTo("question");
            assertThat(pair[1].read(ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThatThrownBy(() -> pair[0].write(bytes("more")))
                    .isInstanceOf(SocketException.class)
                    .hasMessage("the output was ended");
            pair[1].write(bytes("answer"));
            pair[1].close();
            assertThat(ends.run(pair[0]::isInputEnded, LIMIT_NS)).isTrue();
            assertThat(text(pair[0])).isEqualTo("answer");
            assertThat(pair[0].read(ByteBuffer.allocate(1))).isEqualTo(-1);
            pair[0].close();
            assertThat(
                            ends.run(
                                    () -> ends.leftGroup.size() + ends.rightGroup.size() == 0,
                                    LIMIT_NS))
                    .isTrue();
        }
    }

    @Test
    void deliversWhatWasWrittenBeforeTheClose() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            assertThat(pair[0].write(ByteBuffer.allocate(8192))).isEqualTo(8192);
            pair[0].close();
            assertThat(readToEnd(ends, pair[1])).isEqualTo(8192);
            assertThat(ends.run(pair[0]::isReleased, LIMIT_NS)).isTrue();
        }
    }

    private static int readToEnd(TwoEnds ends, ByteStream from) throws IOException {
        int total = 0;
        while (true) {
            int count = from.read(ByteBuffer.allocate(1000));
            if (count < 0) {
                return total;
            }
            total += count;
            assertThat(
                            count > 0
                                    || ends.run(
                                            () -> from.available() > 0 || from.isInputEnded(),
                                            LIMIT_NS))
                    .isTrue();
        }
    }

    @Test
    void aCloseDoesNotWaitLongerThanItsLingerTime() throws IOException {
        StreamSettings impatient = SMALL.withLinger(Duration.ofMillis(20));
        try (TwoEnds ends = new TwoEnds(VirtualSettings.DEFAULT, impatient)) {
            ByteStream[] pair = ends.connect();
            pair[0].write(ByteBuffer.allocate(8192));
            pair[0].close();
            assertThat(pair[0].isReleased()).isFalse();
            long beganNs = ends.time.nowNs();
            assertThat(ends.run(pair[0]::isReleased, LIMIT_NS)).isTrue();
            assertThat(ends.time.nowNs() - beganNs).isBetween(19_000_000L, 25_000_000L);
            assertThat(ends.run(pair[1]::isInputEnded, LIMIT_NS)).isTrue();
            pair[1].read(ByteBuffer.allocate(4096));
            assertThatThrownBy(() -> pair[1].read(ByteBuffer.allocate(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("connection reset");
        }
    }

    @Test
    void anAbortIsAResetForThePeer() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            pair[0].abort();
            assertThat(ends.run(pair[1]::isInputEnded, LIMIT_NS)).isTrue();
            assertThatThrownBy(() -> pair[1].read(ByteBuffer.allocate(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("connection reset");
            assertThatThrownBy(() -> pair[1].write(bytes("x"))).isInstanceOf(IOException.class);
        }
    }

    /// Nothing announces a reset but the end of the connection, whose message may be lost.
    @Test
    void aResetReachesThePeerSoonThoughPacketsAreLost() throws IOException {
        for (long seed = 1; seed <= 100; seed++) {
            VirtualSettings lossy = VirtualSettings.DEFAULT.withLoss(0.05).withSeed(seed);
            try (TwoEnds ends = new TwoEnds(lossy, SMALL)) {
                ByteStream[] pair = ends.connect();
                pair[0].reset();
                ends.run(() -> false, 200_000_000L);
                assertThatThrownBy(() -> pair[1].write(bytes("x")))
                        .as("seed %d", seed)
                        .isInstanceOf(IOException.class);
            }
        }
    }

    /// A group that waits for nothing is not driven from time to time, and an event loop can end.
    @Test
    void aResetAfterACloseLeavesNothingToWaitFor() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            pair[0].write(ByteBuffer.allocate(8192));
            pair[0].close();
            pair[0].reset();
            pair[0].reset();
            assertThat(ends.run(pair[0]::isReleased, LIMIT_NS)).isTrue();
            assertThat(ends.leftGroup.isTimed()).isFalse();
        }
    }

    @Test
    void aWriteAfterThePeerHasClosedFails() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            pair[0].close();
            assertThat(ends.run(pair[1]::isInputEnded, LIMIT_NS)).isTrue();
            assertThat(pair[1].read(ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThatThrownBy(() -> pair[1].write(bytes("x")))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("broken pipe");
        }
    }

    @Test
    void anIdlePeerThatDiesIsNoticed() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            // A device that is gone at once, as that of a process that was killed.
            ends.right.close();
            assertThat(ends.runLeft(pair[0]::isInputEnded, 60_000_000_000L)).isTrue();
            assertThat(pair[0].failure()).hasMessageContaining("no longer answers");
        }
    }

    @Test
    void aRefusalIsTheFailureOfTheStream() {
        try (TwoEnds ends = ends()) {
            ends.listener.close();
            ByteStream stream = ends.leftGroup.connect(ends.address());
            assertThat(ends.run(() -> stream.failure() != null, LIMIT_NS)).isTrue();
            assertThat(stream.failure())
                    .isInstanceOfSatisfying(
                            ConnectionFailedException.class,
                            failure ->
                                    assertThat(failure.reason())
                                            .isEqualTo(
                                                    ConnectionFailedException.Reason
                                                            .NOBODY_LISTENS));
        }
    }

    @Test
    void aGroupRefusesMoreStreamsThanItMayHold() {
        try (TwoEnds ends = ends();
                StreamGroup one = new StreamGroup(ends.left, SMALL, 1)) {
            one.connect(ends.address());
            assertThatThrownBy(() -> one.connect(ends.address()))
                    .hasMessageContaining("holds 1 streams already");
        }
    }
}
