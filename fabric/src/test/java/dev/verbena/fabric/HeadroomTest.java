package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How much comes after a switch has decided to pause its neighbour.
///
/// The frame waits for the packet that is just leaving towards the neighbour (one MTU), takes its
/// own time and that of the cable; the neighbour ends the packet that it has begun (another MTU);
/// and a cable full of bits is still on its way:
///
/// ```text
///   headroom = rate * (2 * delay + frame) + 2 * MTU
/// ```
class HeadroomTest {
    private static final int PACKET = 4160;
    private static final int XOFF = 20 * PACKET;
    private static final int STEPS = 104;
    private static final int CELL = 64;

    /// So that the last packet is begun just before the frame arrives in the worst phase.
    private static final long DELAY_PS = (9 * Anchor.P - Anchor.A) / 2 + 20;

    static long formula() {
        return (2 * DELAY_PS + Anchor.A) / 20 + 2 * PACKET;
    }

    /// What the buffer had at most above its threshold, and what it dropped, with packets towards
    /// the neighbour that began at another time of their period.
    private static int[] pauseAt(long phasePs, int headroom) {
        FabricSettings settings =
                Anchor.ethernet()
                        .withCable(new Cable(Rate.gbits(400), DELAY_PS))
                        .withKind(
                                FabricKind.Ethernet.DEFAULT.withBuffer(
                                        BufferSettings.fixed(XOFF, XOFF / 2, headroom)));
        Fabric fabric = new Fabric(FatTree.single(2).topology(), settings);
        EthernetSwitch node = (EthernetSwitch) fabric.node(2);
        // Nothing leaves towards the receiver, so that all that comes stays.
        ((EthernetPort) node.port(1)).pause(0, 0xFFFF, 0);
        Stream stream = new Stream(fabric);
        stream.send(0, 1, 0, 200, 1_000_000);
        stream.send(1, 0, 0, 400, phasePs);
        fabric.run(20_000_000);
        return new int[] {node.buffer().highest() - XOFF, (int) node.buffer().drops()};
    }

    /// The most of all phases, with enough room.
    static long highest() {
        int highest = 0;
        for (int i = 0; i < STEPS; i++) {
            int[] seen = pauseAt(i * Anchor.P / STEPS, (int) formula() + CELL);
            assertThat(seen[1]).as("drops").isZero();
            highest = Math.max(highest, seen[0]);
        }
        return highest;
    }

    @Test
    void whatComesAfterAPauseIsWhatTheFormulaSaysAndNoMore() {
        assertThat(highest()).isBetween(formula() - CELL, formula() + CELL);
    }

    /// Many senders fill the shared part of a small buffer, and all are paused at once.
    @ParameterizedTest
    @CsvSource({"100, 2", "100, 300", "400, 2", "400, 20", "400, 300", "800, 600"})
    void aLosslessFabricOfAnyCableDropsNothing(int gbits, int metres) {
        int hosts = 12;
        FabricSettings usual =
                FabricSettings.ROCE.withCable(Cable.ofMetres(Rate.gbits(gbits), metres));
        int reserved = hosts * usual.neededHeadroom();
        BufferSettings small =
                new BufferSettings(
                        reserved + 400_000, 1, 0, 8192, BufferSettings.AS_THE_CABLE_NEEDS, 0.25);
        incastPausesAndDropsNothing(hosts, usual, small);
    }

    /// What the driver of a common adapter reserves is more: it allows for slow neighbours.
    @Test
    void theHeadroomOfTheModelIsBelowThatOfARealDriver() {
        FabricSettings settings =
                FabricSettings.ROCE.withCable(Cable.ofMetres(Rate.gbits(400), 100));
        double driver = (301 + 2.16 * 100) * 400 + 2.72 * 4096;

        assertThat(driver).isBetween(217_940.0, 217_942.0);
        assertThat(settings.neededHeadroom()).isBetween(50_000, 217_940);
    }

    /// Row of the driver's formula: with its headroom at 400 Gb/s over 100 m nothing is dropped.
    @Test
    void theHeadroomOfARealDriverDropsNothing() {
        int hosts = 12;
        int headroom = (int) ((301 + 2.16 * 100) * 400 + 2.72 * 4096);
        assertThat(headroom).isEqualTo(217_941);
        FabricSettings usual = FabricSettings.ROCE.withCable(Cable.ofMetres(Rate.gbits(400), 100));
        BufferSettings small =
                new BufferSettings(hosts * headroom + 400_000, 1, 0, 8192, headroom, 0.25);
        incastPausesAndDropsNothing(hosts, usual, small);
    }

    private static void incastPausesAndDropsNothing(
            int hosts, FabricSettings usual, BufferSettings buffer) {
        Fabric fabric =
                new Fabric(
                        FatTree.single(hosts).topology(),
                        usual.withKind(FabricKind.Ethernet.DEFAULT.withBuffer(buffer)));
        FlowRun run =
                new FlowRun(
                        fabric,
                        Patterns.incast(hosts, hosts - 1, 2_000_000),
                        it -> it.windowPackets(1 << 20));

        assertThat(run.run(1_000_000_000_000L)).isTrue();
        assertThat(fabric.counts().drops()).isZero();
        assertThat(fabric.counts().pauses()).isPositive();
    }

    @Test
    void oneMtuLessThanTheFormulaDropsInSomePhase() {
        int drops = 0;
        for (int i = 0; i < STEPS; i++) {
            drops += pauseAt(i * Anchor.P / STEPS, (int) formula() + CELL - PACKET)[1];
        }

        assertThat(drops).isPositive();
    }
}
