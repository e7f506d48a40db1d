package dev.verbena.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.virtual.VirtualSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Streams with random sizes, over a network that loses, doubles, reorders and corrupts packets.
class StreamCampaignTest {
    private static final long LIMIT_NS = 600_000_000_000L;
    private static final int RUNS = 40;

    /// One direction: what was written, and what was read of it, byte by byte.
    private static final class Flow {
        private final SplittableRandom sizes;
        private final SplittableRandom written;
        private final SplittableRandom expected;
        private final ByteStream from;
        private final ByteStream to;
        private final int total;
        private final int most;
        private final boolean isHalfClosed;
        private int sent;
        private int read;
        private boolean isOver;

        Flow(
                ByteStream from,
                ByteStream to,
                long seed,
                SplittableRandom sizes,
                StreamProtocol protocol) {
            isHalfClosed = protocol == StreamProtocol.RSOCKET;
            this.from = from;
            this.to = to;
            this.sizes = sizes;
            written = new SplittableRandom(seed);
            expected = new SplittableRandom(seed);
            most = 1 << sizes.nextInt(1, 16);
            total = sizes.nextInt(1, Math.min(200_000, 1000 * most));
        }

        boolean step() {
            try {
                if (sent < total) {
                    write();
                }
                if (!isOver && sizes.nextInt(4) > 0) {
                    read();
                }
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
            return isOver;
        }

        private void write() throws IOException {
            int count = Math.min(Math.min(from.room(), total - sent), sizes.nextInt(1, most + 1));
            ByteBuffer bytes =
                    sizes.nextBoolean()
                            ? ByteBuffer.allocate(count)
                            : ByteBuffer.allocateDirect(count);
            for (int i = 0; i < count; i++) {
                bytes.put(i, (byte) written.nextInt());
            }
            assertThat(from.append(bytes)).isEqualTo(count);
            sent += count;
            if (sizes.nextBoolean() || sent == total) {
                from.flush();
            }
            if (sent == total && isHalfClosed) {
                from.endOutput();
            }
        }

        private void read() throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(sizes.nextInt(1, most + 1));
            int count = to.read(bytes);
            if (count < 0) {
                assertThat(isHalfClosed).isTrue();
                assertThat(read).isEqualTo(total);
                isOver = true;
                return;
            }
            for (int i = 0; i < count; i++) {
                byte byteAt = (byte) expected.nextInt();
                assertThat(bytes.get(i)).as("byte %d of %d", read + i, total).isEqualTo(byteAt);
            }
            read += count;
            isOver = !isHalfClosed && read == total;
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyByteArrivesOnceAndInOrder(StreamProtocol protocol) throws IOException {
        long first = Seed.forTest("StreamCampaignTest", 1).value();
        long runs = System.getProperty("seed", "").isEmpty() ? Seed.campaign(RUNS) : 1;
        for (long seed = first; seed < first + runs; seed++) {
            try {
                run(seed, protocol);
            } catch (AssertionError | RuntimeException failed) {
                throw new AssertionError("repeat with -Dseed=" + seed, failed);
            }
        }
    }

    private static StreamSettings settings(SplittableRandom random, StreamProtocol protocol) {
        return StreamSettings.DEFAULT
                .withProtocol(protocol)
                .withSendBytes(random.nextInt(4096, 100_000))
                .withReceiveBytes(64 * random.nextInt(64, 2000))
                .withCredits(random.nextInt(16, 200));
    }

    /// Both have taken their step when it is asked.
    private static boolean both(boolean one, boolean other) {
        return one && other;
    }

    private static void run(long seed, StreamProtocol protocol) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        VirtualSettings faults =
                VirtualSettings.DEFAULT
                        .withSeed(seed)
                        .withLoss(random.nextInt(3) * 0.01)
                        .withDuplicate(random.nextInt(3) * 0.01)
                        .withReorder(random.nextInt(3) * 0.02)
                        .withCorrupt(random.nextInt(2) * 0.01);
        try (TwoEnds ends =
                new TwoEnds(faults, settings(random, protocol), settings(random, protocol))) {
            ByteStream[] pair = ends.connect();
            Flow there = new Flow(pair[0], pair[1], seed, random.split(), protocol);
            Flow back = new Flow(pair[1], pair[0], ~seed, random.split(), protocol);
            assertThat(ends.run(() -> both(there.step(), back.step()), LIMIT_NS))
                    .as(
                            "%s %s %d of %d and %d of %d",
                            pair[0], pair[1], there.read, there.total, back.read, back.total)
                    .isTrue();
            pair[0].close();
            pair[1].close();
            assertThat(ends.run(() -> pair[0].isReleased() && pair[1].isReleased(), LIMIT_NS))
                    .isTrue();
        }
    }
}
