package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A rate limit, driven through the carrier contract at the times that it asks for.
class PacingTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long GIGABIT = 1_000_000_000L;

    @Tag("slow")
    @Tag("long")
    @ParameterizedTest
    @ValueSource(longs = {400 * GIGABIT, 800 * GIGABIT})
    void isExactToAMillionthOverASecond(long bitsPerSecond) {
        Rig rig = new Rig(bitsPerSecond, 1 << 20);
        rig.run(SECOND_NS);
        double expected = bitsPerSecond / 8.0;
        System.out.printf(
                "PacingTest: %d Gb/s, %,d packets, %,d bytes in one second, off by %.1e%n",
                bitsPerSecond / GIGABIT, rig.packets, rig.bytes, rig.bytes / expected - 1);
        assertThat(Math.abs(rig.bytes / expected - 1)).isLessThan(1e-6);
    }

    /// 48 bytes at 800 Gb/s are 0.48 ns: two or three packets in every nanosecond.
    @Test
    void keepsWhatANanosecondCannotHold() {
        long bitsPerSecond = 800 * GIGABIT;
        Rig rig = new Rig(bitsPerSecond, 16);
        long durationNs = SECOND_NS / 5_000;
        rig.run(durationNs);
        double expected = bitsPerSecond / 8.0 / SECOND_NS * durationNs;
        assertThat(rig.bytes).isBetween((long) expected - 48, (long) expected + 48);
    }

    @Test
    void savesNothingUpWhileThereIsNothingToSend() {
        Rig rig = new Rig(8 * GIGABIT, 4096);
        rig.run(100_000);
        rig.isPosting = false;
        rig.run(1_000_000);
        long before = rig.bytes;
        rig.isPosting = true;
        rig.run(1_010_000);
        assertThat(rig.bytes - before).isBetween(1L, 10_000L + 2 * 4200);
    }

    /// Two devices and the shortest carrier that keeps exact time.
    private static final class Rig implements TransmitSink, Driver {
        private final TransportDevice[] devices = new TransportDevice[2];
        private final OutboundPacket outbound =
                new OutboundPacket(MemorySegment.ofArray(new long[16]), 0);
        private final InboundPacket inbound = new InboundPacket();
        private final MemoryRegion source;
        private final RemoteSlice target;
        private final QueuePair pair;
        private final CompletionQueue completions;
        private final int message;
        private int sending;
        private long nowNs;
        private long bytes;
        private long packets;
        private boolean isPosting = true;

        Rig(long bitsPerSecond, int message) {
            this.message = message;
            QueuePair[] pairs = new QueuePair[2];
            MemoryRegion[] regions = new MemoryRegion[2];
            CompletionQueue[] queues = new CompletionQueue[2];
            for (int i = 0; i < 2; i++) {
                TransportOptions options =
                        new TransportOptions(new SplittableRandom(i), this)
                                .gids(List.of(new Gid(0, i + 1)))
                                .carriesPhantoms(true);
                devices[i] = TransportDevice.create(options);
                ProtectionDomain domain = devices[i].protectionDomain();
                CompletionQueue queue = devices[i].completionQueue(4096);
                queues[i] = queue;
                regions[i] = TransportDevice.phantom(domain, 1 << 20, Access.REMOTE_WRITE);
                pairs[i] =
                        domain.queuePair(
                                QueuePairType.RC, o -> o.completions(queue).sendDepth(1024));
            }
            pairs[0].connect(pairs[1].endpoint(), a -> a.rateLimit(bitsPerSecond));
            pairs[1].connect(pairs[0].endpoint());
            pair = pairs[0];
            source = regions[0];
            target = regions[1].remote();
            completions = queues[0];
        }

        void run(long untilNs) {
            while (nowNs < untilNs) {
                while (completions.poll() != null) {
                    // Only their room in the send queue matters here.
                }
                while (isPosting && pair.sendRoom() > 0) {
                    pair.sends()
                            .write(target.address(), target.key())
                            .local(source, 0, message)
                            .post();
                }
                boolean moved = turn();
                if (!moved) {
                    idle(untilNs, () -> false);
                }
            }
        }

        @Override
        public boolean turn() {
            boolean moved = false;
            for (sending = 0; sending < 2; sending++) {
                moved |= devices[sending].pollTransmit(nowNs, 0xFFFF, 1 << 16, this) > 0;
            }
            return moved;
        }

        @Override
        public void idle(long deadlineNs, BooleanSupplier isDone) {
            long nextNs = Math.min(devices[0].pollTimeout(), devices[1].pollTimeout());
            nowNs = Math.max(nowNs, Math.min(nextNs, deadlineNs));
            devices[0].handleTimeout(nowNs);
            devices[1].handleTimeout(nowNs);
        }

        @Override
        public void accept(OutboundPacket packet) {
            if (sending == 0) {
                bytes += packet.length();
                packets++;
            }
            inbound.verdict(
                            inbound.view()
                                    .wrapPhantom(
                                            packet.header(),
                                            packet.headerAt(),
                                            packet.headerLength(),
                                            packet.payloadLength()))
                    .from(0, 0, sending + 1);
            devices[1 - sending].handlePacket(nowNs, inbound);
        }

        @Override
        public OutboundPacket next() {
            return outbound;
        }

        @Override
        public long nowNs() {
            return nowNs;
        }

        @Override
        public void wake() {}
    }
}
