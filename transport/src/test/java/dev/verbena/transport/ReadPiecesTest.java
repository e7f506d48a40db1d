package dev.verbena.transport;

import static dev.verbena.transport.Duo.LEFT;
import static dev.verbena.transport.Duo.MTU;
import static dev.verbena.transport.Duo.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.carrier.Counter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// A READ that is asked for in pieces, so that its answer does not overflow the own receive buffer.
class ReadPiecesTest {
    @Test
    void aLongReadIsAskedForInPiecesAndEndsOnce() {
        try (Duo duo = new Duo(o -> o.readPackets(4), a -> {})) {
            fill(duo);
            duo.read(1, 10 * MTU - 3);
            duo.pair.settle();

            assertThat(duo.sent(LEFT))
                    .containsExactly(
                            "READ Request 100 A", "READ Request 104 A", "READ Request 108 A");
            assertThat(duo.sent(RIGHT))
                    .containsExactly(
                            "READ Response First 100 0x1f",
                            "READ Response Middle 101",
                            "READ Response Middle 102",
                            "READ Response Last 103 0x1f",
                            "READ Response First 104 0x1f",
                            "READ Response Middle 105",
                            "READ Response Middle 106",
                            "READ Response Last 107 0x1f",
                            "READ Response First 108 0x1f",
                            "READ Response Last 109 0x1f");
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(sameBytes(duo, 10 * MTU - 3)).isTrue();
        }
    }

    /// The pieces count as READs in flight, of which the peer takes only so many.
    @Test
    void noMorePiecesAreInFlightThanReadsWereAgreed() {
        try (Duo duo = new Duo(o -> o.readPackets(2), a -> a.readsAsInitiator(2))) {
            duo.read(1, 8 * MTU);
            long beginNs = duo.pair.nowNs();
            duo.pair.settle();

            assertThat(duo.packets(LEFT).stream().map(p -> (p.timeNs() - beginNs) / 2_000))
                    .containsExactly(0L, 0L, 1L, 1L);
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            duo.read(2, MTU);
            duo.read(3, MTU);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("2 SUCCESS", "3 SUCCESS");
        }
    }

    @Test
    void aPieceIsAskedForAgainFromWhereItBrokeOffToItsEnd() {
        try (Duo duo = new Duo(o -> o.readPackets(4), a -> {})) {
            fill(duo);
            duo.wire(RIGHT).dropIndexes(1);
            duo.read(1, 8 * MTU);
            duo.pair.settle();

            assertThat(duo.sent(LEFT))
                    .containsExactly(
                            "READ Request 100 A",
                            "READ Request 104 A",
                            "READ Request 101 A",
                            "READ Request 104 A");
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(sameBytes(duo, 8 * MTU)).isTrue();
        }
    }

    @Test
    void theAnswersToAReadKeepToTheWindowOfTheDevice() {
        try (Duo duo = new Duo(o -> o.readPackets(2).windowInAll(4), a -> {})) {
            duo.read(1, 12 * MTU);
            long beginNs = duo.pair.nowNs();
            duo.pair.settle();

            assertThat(duo.packets(LEFT).stream().map(p -> (p.timeNs() - beginNs) / 2_000))
                    .containsExactly(0L, 0L, 1L, 1L, 2L, 2L);
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
        }
    }

    /// A fence is for the READs before it, not for the pieces of the same READ.
    @Test
    void thePiecesOfAFencedReadDoNotWaitForEachOther() {
        try (Duo duo = new Duo(o -> o.readPackets(2), a -> {})) {
            long address = duo.memory.get(RIGHT).address();
            int key = duo.memory.get(RIGHT).remoteKey();
            duo.read(1, MTU);
            duo.post(
                    b ->
                            b.read(address, key)
                                    .local(duo.memory.get(LEFT), 0, 6 * MTU)
                                    .fence()
                                    .id(2)
                                    .signaled());
            long beginNs = duo.pair.nowNs();
            duo.pair.settle();

            assertThat(duo.packets(LEFT).stream().map(p -> (p.timeNs() - beginNs) / 2_000))
                    .containsExactly(0L, 1L, 1L, 1L);
        }
    }

    /// The peer counts each piece as a message, and its credits go by that count.
    @Test
    void creditsAreCountedInPieces() {
        try (Duo duo = new Duo(o -> o.readPackets(1).endToEndCredits(true), a -> {})) {
            duo.receives(3);
            duo.read(1, 5 * MTU);
            duo.pair.settle();
            long probes = duo.counter(LEFT, Counter.CREDIT_PROBE);
            for (int i = 2; i < 5; i++) {
                duo.send(i, 10);
            }
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).hasSize(4);
            assertThat(duo.counter(LEFT, Counter.CREDIT_PROBE) - probes).isZero();
            duo.send(5, 10);
            duo.pair.runUntil(duo.pair.nowNs() + 3_000);
            assertThat(duo.counter(LEFT, Counter.CREDIT_PROBE) - probes).isEqualTo(1);
        }
    }

    private static void fill(Duo duo) {
        SplittableRandom random = new SplittableRandom(1);
        MemorySegment bytes = duo.memory.get(RIGHT).segment();
        for (long at = 0; at < bytes.byteSize(); at += 8) {
            bytes.set(Duo.WORD, at, random.nextLong());
        }
    }

    private static boolean sameBytes(Duo duo, int length) {
        List<MemorySegment> both =
                duo.memory.stream().map(it -> it.segment().asSlice(0, length)).toList();
        return both.get(LEFT).mismatch(both.get(RIGHT)) < 0;
    }
}
