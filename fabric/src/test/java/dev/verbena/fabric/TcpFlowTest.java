package dev.verbena.fabric;

import static dev.verbena.fabric.TcpWorld.ANSWER;
import static dev.verbena.fabric.TcpWorld.DATA;
import static dev.verbena.fabric.TcpWorld.LOSSY;
import static dev.verbena.fabric.TcpWorld.MS;
import static dev.verbena.fabric.TcpWorld.SEGMENT;
import static dev.verbena.fabric.TcpWorld.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// TCP alone, where closed forms say what comes out.
class TcpFlowTest {
    private static final Rate LINE = Rate.gbits(100);
    private static final Rate SLOW = Rate.gbits(10);
    private static final long LARGE = 64 << 20;
    private static final Topology PAIR = FatTree.single(2).topology();
    private static final TcpSettings USUAL = TcpSettings.DEFAULT;

    /// An answer to each segment, so that segments come one by one where the link is slow.
    private static final TcpSettings EACH = USUAL.withAck(1, MS);

    private static final Flow ENDLESS = Flow.of(0, 1, 10L << 30);

    private static TcpFlow run(Fabric fabric, long bytes, TcpSettings settings) {
        TcpFlow flow = TcpFlow.start(fabric, Flow.of(0, 1, bytes), LOSSY, settings);
        fabric.run(100_000 * MS);
        assertThat(flow.endPs()).isPositive();
        assertThat(flow.deliveredBytes()).isEqualTo(bytes);
        return flow;
    }

    @Test
    void oneFlowOnAnIdlePathHasTheLine() {
        Fabric fabric = new Fabric(PAIR, TcpWorld.settings(500_000, LARGE));
        TcpFlow flow = run(fabric, 100_000_000, USUAL);

        assertThat(TcpWorld.part(100_000_000, flow.endPs(), LINE)).isBetween(0.98, 1.0);
        assertThat(flow.retransmitted() + flow.timeouts() + flow.cuts()).isZero();
        assertThat(fabric.pool().out()).isZero();
        // The window grows no further than it is used.
        long tripBytes = TcpWorld.roundTripPs(500_000, LINE) / LINE.ps(DATA) * SEGMENT;
        assertThat((long) flow.windowBytes()).isBetween(tripBytes, 3 * tripBytes);
    }

    @Test
    void aFlowHasAWindowInEachRoundTrip() {
        long delayPs = 10 * US;
        int segments = 400;
        TcpSettings four = USUAL.withWindowMaxBytes(4 * SEGMENT).withAck(1, MS);
        Fabric fabric = new Fabric(PAIR, TcpWorld.settings(delayPs, LARGE));
        TcpFlow flow = run(fabric, (long) segments * SEGMENT, four);

        // The fourth segment of the last window is behind three others.
        long expected = segments / 4 * TcpWorld.roundTripPs(delayPs, LINE) + 3 * LINE.ps(DATA);
        assertThat(flow.endPs()).isEqualTo(expected);
        assertThat(flow.windowBytes()).isEqualTo(4 * SEGMENT);
    }

    @Test
    void packetsAreAsLongAsTheirHeadersSay() {
        Fabric fabric = new Fabric(PAIR, TcpWorld.settings(500_000, LARGE));
        run(fabric, 10 * SEGMENT + 7, USUAL.withAck(1, MS));
        int gap = 20;

        assertThat(fabric.counters("host 0").getFirst().counts())
                .containsEntry("tx_prio0_packets", 11L)
                .containsEntry("tx_prio0_bytes", 10L * (DATA - gap) + ANSWER - gap + 7)
                .containsEntry("rx_prio0_packets", 11L)
                .containsEntry("rx_prio0_bytes", 11L * (ANSWER - gap));
    }

    @Test
    void theWindowDoublesWithEachRoundTrip() {
        long delayPs = 100 * US;
        Fabric fabric = new Fabric(PAIR, TcpWorld.settings(delayPs, LARGE));
        TcpSettings settings = USUAL.withWindowMaxBytes(64 << 20);
        TcpFlow flow = TcpFlow.start(fabric, Flow.of(0, 1, LARGE), LOSSY, settings);
        long tripPs = TcpWorld.roundTripPs(delayPs, LINE);
        for (int trips = 0; trips <= 5; trips++) {
            fabric.run(trips * tripPs + tripPs / 2);
            assertThat(flow.windowBytes()).as("%d trips", trips).isEqualTo((10 * SEGMENT) << trips);
        }
    }

    @Test
    void oneLossInAWindowIsRepairedWithoutATimeoutAndHalvesTheWindow() {
        // With some lengths of the cables a segment comes just before the one that makes room for
        // it
        // has left; then two are lost.
        long delayPs = 52 * US + 800_000;
        Fabric fabric =
                new Fabric(TcpWorld.bottleneck(1, SLOW), TcpWorld.settings(delayPs, 40 * DATA));
        TcpFlow flow = TcpFlow.start(fabric, ENDLESS, LOSSY, EACH);
        fabric.run(200 * MS);
        for (int i = 0; i < 10; i++) {
            long cuts = flow.cuts();
            long again = flow.retransmitted();
            int before = 0;
            while (flow.cuts() == cuts) {
                before = flow.windowBytes();
                fabric.step(Long.MAX_VALUE);
            }
            // Until recovery is over, two round trips later with all of the queue.
            fabric.run(fabric.nowPs() + 2 * TcpWorld.roundTripPs(delayPs, SLOW));

            assertThat(flow.retransmitted() - again).isEqualTo(1);
            assertThat((double) flow.windowBytes() / before).isCloseTo(0.5, within(0.05));
        }
        assertThat(flow.timeouts()).isZero();
        assertThat(fabric.counts().drops()).isEqualTo(flow.retransmitted());
    }

    @Test
    void manyLossesInOneWindowAreRepairedWithoutATimeout() {
        // Slow start goes on until the queue is full, and then loses up to a half of the window.
        Fabric fabric =
                new Fabric(TcpWorld.bottleneck(1, SLOW), TcpWorld.settings(50 * US, 40 * DATA));
        TcpFlow flow = TcpFlow.start(fabric, ENDLESS, LOSSY, EACH);
        while (flow.cuts() == 0) {
            fabric.step(Long.MAX_VALUE);
        }
        fabric.run(fabric.nowPs() + 15 * MS);

        assertThat(fabric.counts().drops()).isGreaterThan(10);
        assertThat(flow.retransmitted()).isEqualTo(fabric.counts().drops());
        assertThat(flow.cuts()).isEqualTo(1);
        assertThat(flow.timeouts()).isZero();
    }

    /// Below the round trip's bytes the window alone sets the rate, and above it the queue grows.
    ///
    /// With `b` for the queue as a part of the bytes of a round trip, the window goes from `(1 + b)
    /// / 2` of these to `1 + b`, by a segment in each round trip; the trips are longer when a queue
    /// stands.
    @Test
    void theMeanRateOfASawtoothIsThatOfTheTextbook() {
        long delayPs = 80 * US;
        double trip = (double) TcpWorld.roundTripPs(delayPs, SLOW) / SLOW.ps(DATA);
        for (int queue : new int[] {10, 30, 60}) {
            Fabric fabric =
                    new Fabric(
                            TcpWorld.bottleneck(1, SLOW),
                            TcpWorld.settings(delayPs, (long) queue * (DATA - 20)));
            TcpFlow flow = TcpFlow.start(fabric, ENDLESS, LOSSY, EACH);
            fabric.run(300 * MS);
            long before = flow.deliveredBytes();
            fabric.run(1_300 * MS);

            double b = queue / trip;
            double alone = (1 - b) / 2;
            double queued = b * (1 + b / 2);
            double expected = (alone * (3 + b) / 4 + queued) / (alone + queued);
            double part = TcpWorld.part(flow.deliveredBytes() - before, 1_000 * MS, SLOW);
            assertThat(part).as("a queue of %d", queue).isCloseTo(expected, within(0.03));
            assertThat(flow.timeouts()).isZero();
        }
    }

    @Test
    void aLostEndIsSentAgainAfterTheLeastTimeout() {
        // Ten at once: one leaves while the others come, and the buffer holds nine.
        Fabric fabric =
                new Fabric(TcpWorld.bottleneck(1, SLOW), TcpWorld.settings(500_000, 9 * DATA));
        TcpFlow flow = run(fabric, 10 * SEGMENT, EACH);

        assertThat(fabric.counts().drops()).isEqualTo(1);
        assertThat(flow.timeouts()).isEqualTo(1);
        assertThat(flow.retransmitted()).isEqualTo(1);
        assertThat(flow.endPs()).isBetween(200 * MS, 201 * MS);
    }

    @Test
    void withoutAnyAnswerEachTimeoutIsTwiceTheOneBefore() {
        Fabric fabric = new Fabric(PAIR, TcpWorld.settings(500_000, SEGMENT));
        TcpFlow flow = TcpFlow.start(fabric, 0, 1, LOSSY, SEGMENT, 0);
        for (int i = 0; i < 5; i++) {
            // After 1, 3, 7 and 15 seconds.
            fabric.run(((1L << i) - 1) * 1_000 * MS + MS);
            assertThat(flow.timeouts()).isEqualTo(i);
        }
        assertThat(flow.endPs()).isEqualTo(FlowRun.NOT_YET);
        assertThat(flow.deliveredBytes()).isZero();
    }

    @Test
    void aLoneSegmentIsAnsweredAfterTheDelay() {
        Fabric fabric = new Fabric(PAIR, TcpWorld.settings(500_000, LARGE));
        TcpFlow flow = run(fabric, 3 * SEGMENT, USUAL.withInitialSegments(1));

        long tripPs = TcpWorld.roundTripPs(500_000, LINE);
        assertThat(flow.endPs()).isEqualTo(40 * MS + 2 * tripPs + LINE.ps(DATA));
    }

    @Test
    void aFlowStartsAtItsTimeAndTellsItsEnd() {
        Fabric fabric = new Fabric(PAIR, TcpWorld.settings(500_000, LARGE));
        List<Long> ends = new ArrayList<>();
        TcpFlow flow = TcpFlow.start(fabric, 0, 1, LOSSY, SEGMENT, 3 * US);
        flow.whenOver(() -> ends.add(fabric.nowPs()));
        assertThat(flow.startedPs()).isEqualTo(FlowRun.NOT_YET);
        fabric.run(MS);

        assertThat(flow.startedPs()).isEqualTo(3 * US);
        assertThat(flow.endPs()).isEqualTo(3 * US + TcpWorld.roundTripPs(500_000, LINE));
        assertThat(ends).containsExactly(flow.endPs());
    }

    @Test
    void aSlowNicDelaysPacketsAndKeepsThemApart() {
        long tripPs = TcpWorld.roundTripPs(500_000, LINE);
        NicProfile late = new NicProfile(700_000, 300_000, 0, 0);
        Fabric fabric = new Fabric(PAIR, TcpWorld.settings(500_000, LARGE).withNic(late));
        assertThat(run(fabric, SEGMENT, USUAL).endPs()).isEqualTo(700_000 + tripPs + 2 * 300_000);

        long gapPs = 10 * US;
        NicProfile rare = new NicProfile(0, 0, gapPs, 0);
        Fabric other = new Fabric(PAIR, TcpWorld.settings(500_000, LARGE).withNic(rare));
        assertThat(run(other, 100 * SEGMENT, USUAL).endPs()).isEqualTo(99 * gapPs + tripPs);
    }

    @Test
    void whatCannotBeIsRefused() {
        Fabric lids = new Fabric(PAIR, FabricSettings.INFINIBAND);
        assertThatThrownBy(() -> TcpFlow.start(lids, 0, 1, 0, 1, 0))
                .hasMessageContaining("the fabric is InfiniBand");
        Fabric fabric = new Fabric(PAIR, FabricSettings.ROCE);
        assertThatThrownBy(() -> TcpFlow.start(fabric, 0, 1, 8, 1, 0))
                .hasMessageContaining("no priority 8");
        assertThatThrownBy(() -> TcpFlow.start(fabric, 0, 2, 0, 1, 0))
                .hasMessageContaining("of 2 hosts");
        TcpSettings jumbo = USUAL.withSegmentBytes(9000);
        assertThatThrownBy(() -> TcpFlow.start(fabric, Flow.of(0, 1, 1), 0, jumbo))
                .hasMessageContaining("at most the MTU, 4096");
        Flow second = Flow.of(0, 1, 1).startingAfter(After.sent(0));
        assertThatThrownBy(() -> TcpFlow.start(fabric, second, 0, USUAL))
                .hasMessageContaining("do not start it");
    }
}
