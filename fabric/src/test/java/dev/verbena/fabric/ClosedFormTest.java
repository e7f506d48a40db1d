package dev.verbena.fabric;

import static dev.verbena.fabric.Anchor.A;
import static dev.verbena.fabric.Anchor.D;
import static dev.verbena.fabric.Anchor.P;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What can be worked out on paper must come out to the picosecond; see [Anchor] for the setting.
class ClosedFormTest {
    /// Six links and five switches.
    private static final long WAY = 11 * D;

    /// One flow to the other end of the tree.
    private static long single(int packets) {
        return packets * P + 5 * P + WAY + 6 * A + WAY;
    }

    /// The first packet is at the last switch after so many links and switches; from then on the
    /// port to the receiver sends without a gap.
    private static long incast(int packets, int linksOfNearest) {
        return linksOfNearest * (P + 2 * D) + packets * P + D + 6 * A + WAY;
    }

    private static List<Flow> incastOf(int senders, int packets) {
        List<Flow> flows = new ArrayList<>();
        int step = 128 / senders;
        for (int i = 1; i < senders; i++) {
            flows.add(Anchor.packets(step * i, 0, packets));
        }
        flows.add(Anchor.packets(127, 0, packets));
        return flows;
    }

    @Test
    void aSingleFlowTakesItsBytesItsHopsAndTheWayBackOfItsLastAcknowledgement() {
        Fabric fabric = new Fabric(Anchor.tree128(), Anchor.ethernet());
        FlowRun run = Anchor.run(fabric, List.of(Anchor.packets(0, 127, 489)));

        assertThat(run.endPs(0)).isEqualTo(single(489)).isEqualTo(52_108_480L);
    }

    @Test
    void aSingleFlowWithCreditsTakesTheSame() {
        Fabric fabric = new Fabric(Anchor.tree128(), Anchor.infiniBand());
        FlowRun run = Anchor.run(fabric, List.of(Anchor.packets(0, 127, 489)));

        assertThat(run.endPs(0)).isEqualTo(single(489));
    }

    @Test
    void anIncastWithPausesTakesTheBytesOfAllThroughTheOneLinkThatNeverIdles() {
        Fabric fabric = new Fabric(Anchor.tree128(), Anchor.ethernet());
        long[] times = Anchor.run(fabric, incastOf(8, 245)).timesPs();
        assertThat(times[7]).isEqualTo(incast(8 * 245, 5)).isEqualTo(174_495_680L);

        Fabric larger = new Fabric(Anchor.tree128(), Anchor.ethernet());
        times = Anchor.run(larger, incastOf(32, 245)).timesPs();
        assertThat(times[31]).isEqualTo(incast(32 * 245, 3)).isEqualTo(661_545_280L);
    }

    @Test
    void anIncastWithCreditsTakesTheSame() {
        Fabric fabric = new Fabric(Anchor.tree128(), Anchor.infiniBand());
        long[] times = Anchor.run(fabric, incastOf(8, 245)).timesPs();
        assertThat(times[7]).isEqualTo(incast(8 * 245, 5));

        Fabric larger = new Fabric(Anchor.tree128(), Anchor.infiniBand());
        times = Anchor.run(larger, incastOf(32, 245)).timesPs();
        assertThat(times[31]).isEqualTo(incast(32 * 245, 3));
    }

    @Test
    void cuttingThroughSavesAPacketAtEverySwitchButItsHead() {
        FabricKind.InfiniBand kind =
                FabricKind.InfiniBand.DEFAULT
                        .withUpdateBlocks(Anchor.BLOCKS)
                        .withBufferBlocks(2048);
        Fabric fabric = new Fabric(Anchor.tree128(), Anchor.infiniBand(kind));
        FlowRun run = Anchor.run(fabric, List.of(Anchor.packets(0, 127, 489)));

        // 64 bytes of each packet, and all of an acknowledgement, which is no longer.
        assertThat(run.endPs(0)).isEqualTo(489 * P + 5 * A + WAY + 6 * A + WAY);
    }

    @Test
    void aLaneSendsWhatItsCreditsAllowInOneRoundTripOfTheLink() {
        for (int inFlight : new int[] {1, 2, 5, 9, 20}) {
            FabricKind.InfiniBand kind =
                    FabricKind.InfiniBand.DEFAULT
                            .withCutThrough(false)
                            .withUpdateBlocks(1)
                            .withBufferBlocks(inFlight * Anchor.BLOCKS + 1);
            Fabric fabric = new Fabric(FatTree.single(2).topology(), Anchor.infiniBand(kind));
            int rounds = 40;
            FlowRun run = Anchor.run(fabric, List.of(Anchor.packets(0, 1, inFlight * rounds)));

            // A packet is gone from the switch when it has come, crossed it, and left; the credits
            // travel back.
            long roundTrip = P + D + D + P + D;
            long starts = (rounds - 1) * Math.max(roundTrip, inFlight * P) + (inFlight - 1) * P;
            long expected = starts + 2 * P + 3 * D + 2 * A + 3 * D;
            assertThat(run.endPs(0)).as("%d packets", inFlight).isEqualTo(expected);
        }
    }

    @Test
    void theKneeIsWhereTheCreditsOfARoundTripFillIt() {
        // 2 P + 3 D is 20.03 packets long: with 21 the link is never idle.
        FabricKind.InfiniBand kind =
                FabricKind.InfiniBand.DEFAULT
                        .withCutThrough(false)
                        .withUpdateBlocks(1)
                        .withBufferBlocks(21 * Anchor.BLOCKS);
        Fabric fabric = new Fabric(FatTree.single(2).topology(), Anchor.infiniBand(kind));
        FlowRun run = Anchor.run(fabric, List.of(Anchor.packets(0, 1, 1000)));

        assertThat(run.endPs(0)).isEqualTo(1000 * P + P + 3 * D + 2 * A + 3 * D);
    }
}
