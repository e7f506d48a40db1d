package dev.verbena.transport;

import static dev.verbena.transport.Duo.LEFT;
import static dev.verbena.transport.Duo.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.IcrcSeal;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.Seal;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Encapsulation;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IcrcPseudoHeader;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// A queue pair may have another seal than the ICRC: its length counts wherever bytes are counted,
/// and its receiver is asked.
class SealTest {
    private static final int LONGER = 16;

    /// Sixteen bytes more, and a receiver that may refuse all packets.
    private record Longer(Seal icrc, boolean refuses) implements Seal {
        @Override
        public int length() {
            return icrc.length() + LONGER;
        }

        @Override
        public void start(
                IcrcPseudoHeader network,
                int ipv4Id,
                MemorySegment segment,
                long bthAt,
                int piece,
                int covered) {
            icrc.start(network, ipv4Id, segment, bthAt, piece, covered + LONGER);
        }

        @Override
        public void add(MemorySegment segment, long at, long length) {
            icrc.add(segment, at, length);
        }

        @Override
        public void end(MemorySegment to, long at) {
            icrc.add(to, at, LONGER);
            icrc.end(to, at + LONGER);
        }

        @Override
        public void put(
                IcrcPseudoHeader network,
                int ipv4Id,
                MemorySegment segment,
                long bthAt,
                int covered) {
            icrc.put(network, ipv4Id, segment, bthAt, covered + LONGER);
        }

        @Override
        public void put(
                Encapsulation encapsulation, MemorySegment segment, long networkAt, long at) {
            icrc.put(encapsulation, segment, networkAt, at + LONGER);
        }

        @Override
        public boolean isWhole(InboundPacket packet) {
            return !refuses;
        }
    }

    private static void seal(Duo duo, int side, boolean refuses) {
        TransportQueuePair pair = (TransportQueuePair) duo.queuePairs.get(side);
        pair.settings(pair.settings().withSeal(new Longer(new IcrcSeal(), refuses)));
    }

    @Test
    void aSealCountsInEveryPacketOfItsQueuePairAndInNoOther() {
        try (Duo duo = new Duo()) {
            seal(duo, LEFT, false);
            duo.receives(1);
            duo.send(1, 10);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(duo.counter(LEFT, Counter.SENT_BYTES))
                    .isEqualTo(Bth.LENGTH + 10 + 2 + LONGER + Icrc.LENGTH);
            assertThat(duo.counter(RIGHT, Counter.SENT_BYTES))
                    .isEqualTo(Bth.LENGTH + 4 + Icrc.LENGTH);
        }
    }

    @Test
    void aPacketThatItsSealDoesNotFitIsDroppedWithoutAnAnswer() {
        try (Duo duo = new Duo(options -> {}, attributes -> attributes.retryCount(0))) {
            seal(duo, RIGHT, true);
            duo.receives(1);
            duo.send(1, 10);
            duo.pair.settle();
            assertThat(duo.sent(RIGHT)).isEmpty();
            assertThat(duo.counter(RIGHT, Counter.DROPPED_CORRUPT)).isEqualTo(1);
            assertThat(duo.completed(LEFT)).containsExactly("1 RETRY_EXCEEDED");
        }
    }
}
