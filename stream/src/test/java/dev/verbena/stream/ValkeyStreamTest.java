package dev.verbena.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.UnsupportedException;
import dev.verbena.virtual.VirtualSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Valkey's protocol between two streams of ours. A real server is asked by interop/rxe/valkey.
class ValkeyStreamTest {
    private static final long LIMIT_NS = 20_000_000_000L;
    private static final int BUFFER = 4096;

    private static TwoEnds ends() {
        return new TwoEnds(
                VirtualSettings.DEFAULT,
                StreamSettings.VALKEY.withReceiveBytes(BUFFER).withSendBytes(8192));
    }

    private static ByteBuffer zeros(int count) {
        return ByteBuffer.allocate(count);
    }

    @Test
    void aBufferIsGivenAgainWhenItIsFullAndRead() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            assertThat(pair[0].write(zeros(BUFFER + 1))).isEqualTo(BUFFER + 1);
            assertThat(ends.run(() -> pair[1].available() == BUFFER, LIMIT_NS)).isTrue();
            assertThat(pair[1].read(zeros(BUFFER - 1))).isEqualTo(BUFFER - 1);
            ends.run(() -> false, 10_000_000);
            assertThat(pair[1].available()).isEqualTo(1);
            assertThat(pair[1].read(zeros(BUFFER))).isEqualTo(1);
            assertThat(ends.run(() -> pair[1].available() == 1, LIMIT_NS)).isTrue();
        }
    }

    @Test
    void aSlowReaderStopsTheWriter() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            int written = 0;
            for (int i = 0; i < 1000; i++) {
                written += pair[0].write(zeros(100));
                ends.run(() -> false, 100_000);
            }
            assertThat(written).isEqualTo(BUFFER + 8192);
        }
    }

    /// The server takes nothing meanwhile: a client with a message more would find no receive.
    @Test
    void aClientCountsTheReceivesOfItsServer() throws IOException {
        try (TwoEnds ends =
                new TwoEnds(
                        VirtualSettings.DEFAULT, StreamSettings.VALKEY.withSendBytes(1 << 20))) {
            ByteStream[] pair = ends.connect();
            ends.run(() -> pair[0].room() > 0 && pair[1].room() > 0, LIMIT_NS);
            writeOneByOne(ends, pair[0], 1000);
            assertThat(ends.right.counters().getOrDefault("rx_write_requests", 0L))
                    .isBetween(800L, (long) ValkeyFraming.UNCONFIRMED_MAX);
            // The server takes all and answers, and stops again. It was asked about the first 256.
            for (int i = 0; i < 100; i++) {
                ends.rightGroup.progress();
                ends.network.advance(Duration.ofNanos(10_000));
            }
            writeOneByOne(ends, pair[0], 1000);
            assertThat(ends.right.counters().getOrDefault("rx_write_requests", 0L))
                    .isBetween(1000L, ValkeyFraming.UNCONFIRMED_MAX + 260L);
            assertThat(ends.run(() -> pair[1].available() == 2000, LIMIT_NS)).isTrue();
        }
    }

    /// While the server takes nothing.
    private static void writeOneByOne(TwoEnds ends, ByteStream to, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            assertThat(to.write(zeros(1))).isEqualTo(1);
            ends.runLeft(() -> false, 20_000);
        }
    }

    @Test
    void anEndOfThePeerIsReadAfterAllBytes() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            assertThat(pair[0].write(zeros(100))).isEqualTo(100);
            pair[0].close();
            assertThat(ends.run(pair[1]::isInputEnded, LIMIT_NS)).isTrue();
            assertThat(pair[1].read(zeros(200))).isEqualTo(100);
            assertThat(pair[1].read(zeros(200))).isEqualTo(-1);
            assertThatThrownBy(() -> pair[1].write(zeros(1))).hasMessageContaining("broken pipe");
            assertThat(ends.run(pair[0]::isReleased, LIMIT_NS)).isTrue();
        }
    }

    @Test
    void aCloseDeliversWhatThePeerHadNoRoomFor() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            assertThat(pair[0].write(zeros(2 * BUFFER))).isEqualTo(2 * BUFFER);
            pair[0].close();
            // The first half is acknowledged before the peer has read and gives room for the
            // second.
            ends.run(() -> false, 10_000_000);
            assertThat(pair[1].available()).isEqualTo(BUFFER);
            int read = 0;
            int count;
            while ((count = pair[1].read(zeros(1000))) >= 0) {
                read += count;
                ends.run(() -> pair[1].available() > 0 || pair[1].isInputEnded(), 1_000_000);
            }
            assertThat(read).isEqualTo(2 * BUFFER);
        }
    }

    @Test
    void oneDirectionAloneDoesNotEnd() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            assertThatThrownBy(pair[0]::endOutput).isInstanceOf(UnsupportedException.class);
            assertThat(pair[0].write(zeros(1))).isEqualTo(1);
            assertThat(ends.run(() -> pair[1].available() == 1, LIMIT_NS)).isTrue();
        }
    }

    @Test
    void bytesThatWrapInTheRingOfTheWriterKeepTheirOrder() throws IOException {
        try (TwoEnds ends = ends()) {
            ByteStream[] pair = ends.connect();
            byte[] sent = new byte[3000];
            for (int round = 0; round < 50; round++) {
                for (int i = 0; i < sent.length; i++) {
                    sent[i] = (byte) (7 * round + i);
                }
                assertThat(pair[0].write(ByteBuffer.wrap(sent))).isEqualTo(sent.length);
                byte[] found = new byte[sent.length];
                ByteBuffer into = ByteBuffer.wrap(found);
                while (into.hasRemaining()) {
                    assertThat(ends.run(() -> pair[1].available() > 0, LIMIT_NS)).isTrue();
                    pair[1].read(into);
                }
                assertThat(Arrays.equals(found, sent)).as("round %d", round).isTrue();
                ends.run(() -> false, 1_000_000);
            }
        }
    }
}
