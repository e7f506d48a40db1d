package dev.verbena.transport;

import static dev.verbena.transport.Duo.LEFT;
import static dev.verbena.transport.Duo.MTU;
import static dev.verbena.transport.Duo.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairState;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Connections that repeat only what is lost, and place WRITEs that come early.
class SelectiveRepeatTest {
    private static final int SOURCE = 1 << 15;

    private static Duo duo(Consumer<TransportOptions> more) {
        return new Duo(
                o -> {
                    o.selectiveRepeat(true);
                    more.accept(o);
                },
                a -> {});
    }

    private static Duo duo() {
        return duo(o -> {});
    }

    /// Writes pieces of the left side's memory to the right side's.
    private static void write(Duo duo, long id, long from, long to, int bytes) {
        MemoryRegion target = duo.memory.get(RIGHT);
        duo.post(
                b ->
                        b.write(target.address() + to, target.remoteKey())
                                .local(duo.memory.get(LEFT), from, bytes)
                                .id(id)
                                .signaled());
    }

    private static void writeImmediate(Duo duo, long id, long to, int bytes, int data) {
        MemoryRegion target = duo.memory.get(RIGHT);
        duo.post(
                b ->
                        b.writeImmediate(target.address() + to, target.remoteKey(), data)
                                .local(duo.memory.get(LEFT), 0, bytes)
                                .id(id)
                                .signaled());
    }

    private static void fill(Duo duo, long from, int bytes, int seed) {
        for (int i = 0; i < bytes; i++) {
            duo.memory
                    .get(LEFT)
                    .segment()
                    .set(ValueLayout.JAVA_BYTE, from + i, (byte) (seed + 31 * i));
        }
    }

    private static boolean isEqual(Duo duo, long from, long to, int bytes) {
        return duo.memory
                        .get(LEFT)
                        .segment()
                        .asSlice(from, bytes)
                        .mismatch(duo.memory.get(RIGHT).segment().asSlice(to, bytes))
                == -1;
    }

    @Test
    void onlyTheLostPacketOfAWriteIsSentAgain() {
        try (Duo duo = duo()) {
            fill(duo, 0, 5 * MTU, 7);
            duo.wire(LEFT).dropIndexes(1);
            write(duo, 1, 0, 0, 5 * MTU);
            duo.pair.settle();

            assertThat(duo.sent(LEFT))
                    .containsExactly(
                            "WRITE First 100",
                            "WRITE Middle 101 DROP",
                            "WRITE Middle 102",
                            "WRITE Middle 103",
                            "WRITE Last 104 A",
                            "WRITE Middle 101 A");
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(isEqual(duo, 0, 0, 5 * MTU)).isTrue();
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isZero();
            assertThat(duo.counter(RIGHT, Counter.EARLY_PLACED)).isEqualTo(3);
        }
    }

    @Test
    void aRepeatedPacketThatIsLostAgainIsFoundWithoutATimer() {
        try (Duo duo = duo()) {
            fill(duo, 0, 40 * MTU, 7);
            // The window of eight lets new packets out behind the repeated one.
            duo.wire(LEFT).rule =
                    (packet, index) ->
                            packet.psn() == 101 && index < 12
                                    ? WireScript.Fate.DROP
                                    : WireScript.Fate.PASS;
            for (int i = 0; i < 20; i++) {
                write(duo, i, 2L * i * MTU, 2L * i * MTU, 2 * MTU);
            }
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).hasSize(20).allMatch(text -> text.endsWith("SUCCESS"));
            assertThat(isEqual(duo, 0, 0, 40 * MTU)).isTrue();
        }
    }

    @Test
    void theLastPacketIsSentAgainWhenTheTimerEnds() {
        try (Duo duo = duo()) {
            fill(duo, 0, 2 * MTU, 3);
            duo.wire(LEFT).dropIndexes(1);
            write(duo, 1, 0, 0, 2 * MTU);
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isEqualTo(1);
            assertThat(isEqual(duo, 0, 0, 2 * MTU)).isTrue();
        }
    }

    /// Row 8 of the sheet: packets of many WRITEs arrive in any order.
    @Test
    void packetsInAnyOrderGiveTheSameBytesAndCompletionsInOrder() {
        Seed seed = Seed.forTest("SelectiveRepeatTest", 0);
        Random random = new Random(seed.value());
        for (int round = 0; round < 200; round++) {
            try (Duo duo = duo(o -> o.reorder(200))) {
                fill(duo, 0, SOURCE, round);
                duo.receives(8);
                List<Integer> order = new ArrayList<>();
                for (int i = 0; i < 64; i++) {
                    order.add(i);
                }
                Collections.shuffle(order, random);
                permute(duo, order);
                for (int i = 0; i < 16; i++) {
                    int at = 4 * i * MTU;
                    if (i % 4 == 3) {
                        MemoryRegion target = duo.memory.get(RIGHT);
                        int id = i;
                        duo.post(
                                b ->
                                        b.writeImmediate(
                                                        target.address() + at,
                                                        target.remoteKey(),
                                                        id)
                                                .local(duo.memory.get(LEFT), at, 4 * MTU)
                                                .id(id)
                                                .signaled());
                    } else {
                        write(duo, i, at, at, 4 * MTU);
                    }
                }
                duo.pair.settle();

                assertThat(isEqual(duo, 0, 0, 64 * MTU)).as("round %d", round).isTrue();
                assertThat(duo.counter(RIGHT, Counter.EARLY_PLACED)).isPositive();
                assertThat(duo.completed(LEFT)).hasSize(16).first().isEqualTo("0 SUCCESS");
                assertThat(duo.completed(RIGHT))
                        .containsExactly(
                                "1000 SUCCESS", "1001 SUCCESS", "1002 SUCCESS", "1003 SUCCESS");
                assertThat(duo.counter(LEFT, Counter.RETRANSMITTED)).isZero();
            }
        }
    }

    /// Every packet of the left side takes as long as its place in the order says.
    private static void permute(Duo duo, List<Integer> order) {
        duo.wire(LEFT).overtakes = true;
        duo.wire(LEFT).delay = packet -> 1_000L * order.get(packet.psn() - 100 & 63);
    }

    @Test
    void aRepetitionNeverOverwritesWhatTheProgramHasWrittenSince() {
        try (Duo duo = duo()) {
            fill(duo, 0, 4 * MTU, 7);
            duo.wire(LEFT).dropIndexes(0);
            duo.wire(RIGHT).rule =
                    (_, index) -> index < 3 ? WireScript.Fate.DROP : WireScript.Fate.PASS;
            write(duo, 1, 0, 0, 4 * MTU);
            duo.pair.runUntil(duo.pair.nowNs() + 50_000);
            assertThat(duo.counter(RIGHT, Counter.EARLY_PLACED)).isEqualTo(3);
            duo.memory.get(RIGHT).segment().set(ValueLayout.JAVA_BYTE, 2 * MTU, (byte) 0x55);
            // No word of it has come back: the timer sends all four again.
            duo.pair.settle();

            assertThat(duo.counter(LEFT, Counter.RETRANSMITTED)).isGreaterThanOrEqualTo(4);
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(duo.memory.get(RIGHT).segment().get(ValueLayout.JAVA_BYTE, 2 * MTU))
                    .isEqualTo((byte) 0x55);
        }
    }

    @Test
    void anEarlySendIsDroppedAndSentAgainAfterTheMissingPacket() {
        try (Duo duo = duo()) {
            duo.receives(2);
            duo.wire(LEFT).dropIndexes(0);
            duo.send(1, 10);
            duo.send(2, 10);
            duo.pair.settle();

            assertThat(duo.sent(LEFT))
                    .containsExactly(
                            "SEND Only 100 A DROP",
                            "SEND Only 101 A",
                            "SEND Only 100 A",
                            "SEND Only 101 A");
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS", "2 SUCCESS");
            assertThat(duo.completed(RIGHT)).containsExactly("1000 SUCCESS", "1001 SUCCESS");
            assertThat(duo.counter(RIGHT, Counter.EARLY_DROPPED)).isEqualTo(1);
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isZero();
        }
    }

    @Test
    void anAtomicBehindALostPacketIsCarriedOutOnce() {
        try (Duo duo = duo()) {
            duo.wire(LEFT).dropIndexes(0);
            write(duo, 1, 0, 64, 8);
            duo.fetchAndAdd(2, 5);
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS", "2 SUCCESS");
            assertThat(duo.memory.get(RIGHT).segment().get(Duo.WORD, 0)).isEqualTo(5);
        }
    }

    @Test
    void aLostAnswerToAReadIsAskedForAgainFromThere() {
        try (Duo duo = duo()) {
            duo.wire(RIGHT).dropIndexes(2);
            duo.read(1, 6 * MTU);
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(duo.counter(LEFT, Counter.RESTARTED_READ)).isEqualTo(1);
        }
    }

    @Test
    void anEarlyWriteWithAWrongKeyIsRefusedWhenItIsNext() {
        try (Duo duo = duo()) {
            duo.wire(LEFT).dropIndexes(0);
            write(duo, 1, 0, 0, MTU);
            duo.post(
                    b ->
                            b.write(
                                            duo.memory.get(RIGHT).address(),
                                            duo.memory.get(RIGHT).remoteKey() + 1)
                                    .local(duo.memory.get(LEFT), 0, 8)
                                    .id(2)
                                    .signaled());
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS", "2 REMOTE_ACCESS_ERROR");
            assertThat(duo.counter(RIGHT, Counter.EARLY_DROPPED)).isPositive();
            assertThat(duo.counter(RIGHT, Counter.SENT_NAK_ACCESS)).isEqualTo(1);
        }
    }

    @Test
    void anImmediateThatCameEarlyWaitsForAReceive() {
        try (Duo duo = duo()) {
            fill(duo, 0, MTU, 9);
            duo.wire(LEFT).dropIndexes(0);
            write(duo, 1, 0, 0, MTU);
            writeImmediate(duo, 2, MTU, MTU, 77);
            duo.pair.runUntil(duo.pair.nowNs() + 100_000);
            assertThat(duo.counter(RIGHT, Counter.SENT_RNR)).isPositive();
            duo.receives(1);
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS", "2 SUCCESS");
            assertThat(duo.completed(RIGHT)).containsExactly("1000 SUCCESS");
            assertThat(isEqual(duo, 0, MTU, MTU)).isTrue();
        }
    }

    /// Long, so that what happens before it ends is not its doing.
    private static final int PATIENT = 16;

    private static Duo probing() {
        Duo duo = new Duo(o -> o.selectiveRepeat(true).followsPeers(true), a -> a.timeout(PATIENT));
        // Without a round trip there is nothing to go by.
        write(duo, 0, 0, 0, 8);
        duo.pair.settle();
        duo.sent(LEFT);
        duo.completed(LEFT);
        return duo;
    }

    @Test
    void theLostEndIsFoundByTheLastPacketSentOnceMore() {
        try (Duo duo = probing()) {
            fill(duo, 0, 4 * MTU, 3);
            duo.wire(LEFT).dropIndexes(3, 4);
            write(duo, 1, 0, 0, 4 * MTU);
            duo.pair.settle();

            assertThat(duo.sent(LEFT))
                    .containsExactly(
                            "WRITE First 101",
                            "WRITE Middle 102",
                            "WRITE Middle 103 DROP",
                            "WRITE Last 104 A DROP",
                            "WRITE Last 104 A",
                            "WRITE Middle 103 A");
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(duo.counter(LEFT, Counter.TAIL_PROBE)).isEqualTo(1);
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isZero();
            assertThat(isEqual(duo, 0, 0, 4 * MTU)).isTrue();
        }
    }

    @Test
    void aPacketThatIsLostTwiceIsTheOneThatIsSentOnceMore() {
        try (Duo duo = probing()) {
            fill(duo, 0, 4 * MTU, 3);
            duo.wire(LEFT).dropIndexes(2, 5);
            write(duo, 1, 0, 0, 4 * MTU);
            duo.pair.settle();

            assertThat(duo.sent(LEFT))
                    .containsExactly(
                            "WRITE First 101",
                            "WRITE Middle 102 DROP",
                            "WRITE Middle 103",
                            "WRITE Last 104 A",
                            "WRITE Middle 102 A DROP",
                            "WRITE Middle 102 A");
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isZero();
            assertThat(isEqual(duo, 0, 0, 4 * MTU)).isTrue();
        }
    }

    @Test
    void aPeerThatIsOnlySlowGetsOnePacketTwiceAndNotAWindow() {
        try (Duo duo = probing()) {
            fill(duo, 0, 8 * MTU, 3);
            duo.wire(LEFT).latencyNs = 2_500_000;
            write(duo, 1, 0, 0, 6 * MTU);
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(duo.counter(LEFT, Counter.TAIL_PROBE)).isEqualTo(1);
            assertThat(duo.counter(LEFT, Counter.RETRANSMITTED)).isEqualTo(1);
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isZero();
        }
    }

    /// Between the packet's arrival and its turn the region is closed: what was placed was placed.
    @Test
    void memoryThatIsGoneBeforeItsTurnIsNotTouchedAgain() {
        try (Duo duo = duo()) {
            fill(duo, 0, MTU, 9);
            MemoryRegion later = duo.domains.get(RIGHT).allocate(MTU, Access.REMOTE_WRITE);
            duo.wire(LEFT).dropIndexes(0);
            write(duo, 1, 0, 0, MTU);
            duo.post(
                    b ->
                            b.write(later.address(), later.remoteKey())
                                    .local(duo.memory.get(LEFT), 0, MTU)
                                    .id(2)
                                    .signaled());
            duo.pair.runUntil(duo.pair.nowNs() + 1_500);
            assertThat(duo.counter(RIGHT, Counter.EARLY_PLACED)).isEqualTo(1);
            later.close();
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS", "2 SUCCESS");
        }
    }

    /// The first half was placed early; the other half meets no region any more.
    @Test
    void halfAWriteWhoseMemoryIsGoneIsRefused() {
        try (Duo duo = duo()) {
            MemoryRegion later = duo.domains.get(RIGHT).allocate(2 * MTU, Access.REMOTE_WRITE);
            duo.wire(LEFT).dropIndexes(0);
            duo.post(
                    b ->
                            b.write(later.address(), later.remoteKey())
                                    .local(duo.memory.get(LEFT), 0, 2 * MTU)
                                    .id(2)
                                    .signaled());
            duo.pair.runUntil(duo.pair.nowNs() + 1_500);
            assertThat(duo.counter(RIGHT, Counter.EARLY_PLACED)).isEqualTo(1);
            later.close();
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).containsExactly("2 REMOTE_ACCESS_ERROR");
        }
    }

    @Test
    void sequenceNumbersWrapWithPacketsThatAreMissing() {
        int first = 0xFF_FFFC;
        int[] sides = new int[1];
        try (Duo duo =
                new Duo(
                        o -> o.selectiveRepeat(true),
                        a -> {
                            if (sides[0]++ == 0) {
                                a.sendPsn(first);
                            } else {
                                a.receivePsn(first);
                            }
                        })) {
            fill(duo, 0, 12 * MTU, 5);
            duo.wire(LEFT).dropIndexes(1, 5);
            write(duo, 1, 0, 0, 12 * MTU);
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(duo.counter(LEFT, Counter.RETRANSMITTED)).isEqualTo(2);
            assertThat(isEqual(duo, 0, 0, 12 * MTU)).isTrue();
        }
    }

    @Test
    void aNewConnectionForgetsWhatWasPlacedInTheOneBefore() {
        try (Duo duo = duo()) {
            duo.wire(LEFT).dropIndexes(0);
            write(duo, 1, 0, 0, 2 * MTU);
            duo.pair.runUntil(duo.pair.nowNs() + 1_500);
            assertThat(duo.counter(RIGHT, Counter.EARLY_PLACED)).isEqualTo(1);
            duo.left().modify(QueuePairState.RESET, a -> {});
            duo.right().modify(QueuePairState.RESET, a -> {});
            duo.pair.settle();
            duo.connect(duo.left(), duo.right(), 100, 500, a -> {});
            fill(duo, 0, 2 * MTU, 99);
            write(duo, 2, 0, 4 * MTU, 2 * MTU);
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).contains("2 SUCCESS");
            assertThat(isEqual(duo, 0, 4 * MTU, 2 * MTU)).isTrue();
        }
    }

    /// It asks for no acknowledgement itself; the last packet did, and came before it.
    @Test
    void aPacketThatFillsAGapIsAcknowledgedAtOnce() {
        try (Duo duo = duo(o -> o.reorder(8))) {
            duo.wire(LEFT).overtakes = true;
            duo.wire(LEFT).delay = packet -> packet.psn() == 101 ? 5_000 : 0;
            write(duo, 1, 0, 0, 3 * MTU);
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(duo.counter(RIGHT, Counter.EARLY_PLACED)).isEqualTo(1);
            assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isZero();
            assertThat(duo.counter(LEFT, Counter.RETRANSMITTED)).isZero();
        }
    }

    @Test
    void onlyBothTogetherAgree() {
        for (int one = 0; one < 2; one++) {
            int offering = one;
            List<Integer> made = new ArrayList<>();
            try (Duo duo =
                    new Duo(
                            o -> {
                                o.selectiveRepeat(made.size() == offering);
                                made.add(0);
                            },
                            a -> {})) {
                duo.wire(LEFT).dropIndexes(0);
                write(duo, 1, 0, 0, 2 * MTU);
                duo.pair.settle();

                assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
                assertThat(duo.counter(RIGHT, Counter.SENT_NAK_SEQUENCE)).isEqualTo(1);
                assertThat(duo.counter(RIGHT, Counter.SENT_SACK)).isZero();
            }
        }
    }

    @Test
    void theRetryCountEndsAConnectionWhosePacketNeverArrives() {
        try (Duo duo = duo()) {
            duo.wire(LEFT).rule =
                    (packet, _) ->
                            packet.psn() == 100 ? WireScript.Fate.DROP : WireScript.Fate.PASS;
            write(duo, 1, 0, 0, 3 * MTU);
            duo.pair.settle();

            assertThat(duo.completed(LEFT)).containsExactly("1 RETRY_EXCEEDED");
            assertThat(duo.sent(LEFT).stream().filter(text -> text.contains(" 100 ")).count())
                    .isEqualTo(8);
        }
    }
}
