package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// A flow that goes nowhere near a congested port, and suffers all the same.
///
/// ```text
///   hosts 0 1 2 3 ─ leaf 0 ─ spine ─ leaf 1 ─ hosts 4 5 6 7
/// ```
///
/// Hosts 0, 1, 2 and, beside the receiver, 5 and 6 all send to host 4. Host 3 sends to host 7,
/// whose port has nothing else to do. The port to host 4 takes from its three neighbours alike, so
/// that the spine has a third of it: 133 Gb/s for three flows. What the victim shares with them it
/// has as much of as each of them, a ninth of a link; what it has for itself is what they leave of
/// the way up, two thirds.
class VictimTest {
    private static final Topology TOPOLOGY = FatTree.twoTiers(4, 2, 1).topology();
    private static final int PACKETS = 20_000;
    private static final long WARM_PS = 100_000_000;
    private static final long MEASURED_PS = 400_000_000;
    private static final int LEAF_1 = 9;

    /// The part of a link that the victim has.
    private static double victim(FabricSettings settings, int level) {
        Fabric fabric = new Fabric(TOPOLOGY, settings);
        Stream stream = new Stream(fabric);
        for (int host : new int[] {0, 1, 2, 5, 6}) {
            stream.send(host, 4, 0, PACKETS, 0);
        }
        stream.send(3, 7, level, PACKETS, 0);
        fabric.run(WARM_PS);
        long before = delivered(fabric);
        fabric.run(WARM_PS + MEASURED_PS);
        return (double) (delivered(fabric) - before) * Anchor.P / MEASURED_PS;
    }

    private static long delivered(Fabric fabric) {
        int port = 3;
        return switch (fabric.node(LEAF_1)) {
            case EthernetSwitch leaf -> leaf.port(port).sentPackets();
            case InfiniBandSwitch leaf -> leaf.port(port).sentPackets();
            case Nic other -> throw new AssertionError(other + " is no leaf");
            case InnerSwitch other -> throw new AssertionError(other + " is no leaf");
        };
    }

    private static FabricSettings lanes(int count) {
        return Anchor.infiniBand(
                FabricKind.InfiniBand.DEFAULT
                        .withCutThrough(false)
                        .withUpdateBlocks(1)
                        .withBufferBlocks(2000)
                        .withLanes(LaneMap.modulo(count)));
    }

    @Test
    void aPausedPriorityHoldsUpAFlowThatGoesElsewhere() {
        assertThat(victim(Anchor.ethernet(), 0)).isBetween(0.09, 0.13);
    }

    @Test
    void soDoesALaneWithoutCredit() {
        assertThat(victim(lanes(1), 0)).isBetween(0.09, 0.13);
    }

    @Test
    void aLaneOfItsOwnHasWhatTheOthersLeave() {
        assertThat(victim(lanes(2), 1)).isBetween(0.65, 0.68);
    }

    @Test
    void aPriorityOfItsOwnHasToo() {
        // A little more: pauses come and go in steps.
        assertThat(victim(Anchor.ethernet(), 1)).isBetween(0.65, 0.69);
    }

    /// Seven hosts of a leaf send to one, and the eighth to another: the part of a link that the
    /// eighth has.
    static double besideSevenToOne(FabricKind.Spread spread, boolean isLossless) {
        FabricKind.Ethernet kind = (FabricKind.Ethernet) Anchor.ethernet().kind();
        BufferSettings buffer =
                isLossless ? kind.buffer() : new BufferSettings(4 << 20, 0, 0, 8192, 0, 0.25);
        FabricSettings settings =
                Anchor.ethernet().withKind(kind.withSpread(spread).withBuffer(buffer));
        Fabric fabric = new Fabric(FatTree.twoTiers(8, 2, 8).topology(), settings);
        Stream stream = new Stream(fabric);
        for (int host = 0; host < 7; host++) {
            stream.send(host, 8, 0, PACKETS, 0);
        }
        stream.send(7, 15, 0, PACKETS, 0);
        fabric.run(WARM_PS);
        OutPort last = fabric.nic(15).port().neighbour();
        long before = last.sentPackets();
        fabric.run(WARM_PS + MEASURED_PS);
        return (double) (last.sentPackets() - before) * Anchor.P / MEASURED_PS;
    }

    @Test
    void sprayingWithoutPausesSparesTheVictimOfSevenToOne() {
        assertThat(besideSevenToOne(FabricKind.Spread.ADAPTIVE, false)).isGreaterThan(0.97);
        assertThat(besideSevenToOne(FabricKind.Spread.ADAPTIVE, true)).isLessThan(0.5);
        assertThat(besideSevenToOne(FabricKind.Spread.ECMP, true)).isLessThan(0.5);
    }
}
