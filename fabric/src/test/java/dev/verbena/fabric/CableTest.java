package dev.verbena.fabric;

import static dev.verbena.fabric.Anchor.A;
import static dev.verbena.fabric.Anchor.D;
import static dev.verbena.fabric.Anchor.P;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Cables of one fabric that differ; 100 Gb/s is a quarter of the usual rate.
class CableTest {
    private static final int PACKETS = 30;
    private static final CablePlan SLOW = CablePlan.USUAL.withRate(Rate.gbits(100));
    private static final CablePlan FAR = CablePlan.USUAL.withMetres(500);
    private static final long FAR_PS = 2_500_000;

    private static Topology single(CablePlan left, CablePlan right) {
        Wiring wiring = new Wiring("pair");
        wiring.addSwitch("switch", 2);
        wiring.addHost("left", 0, 0, left);
        wiring.addHost("right", 0, 1, right);
        return wiring.topology();
    }

    private static long ended(Topology topology, FabricSettings settings, int packets) {
        Fabric fabric = new Fabric(topology, settings);
        return Anchor.run(fabric, List.of(Anchor.packets(0, 1, packets))).endPs(0);
    }

    @ParameterizedTest
    @CsvSource({
        "1xSDR, 2",
        "4xSDR, 8",
        "4xDDR, 16",
        "4xQDR, 32",
        "4xFDR10, 40",
        "4xEDR, 100",
        "2xHDR, 100",
        "4xHDR, 200",
        "HDR, 200",
        "4xNDR, 400",
        "4xXDR, 800",
        "8xXDR, 1600",
        "12xQDR, 96",
        "25, 25",
        "1600, 1600"
    })
    void aGenerationHasTheDataRateOfItsLanes(String name, long gbits) {
        assertThat(Rate.parse(name)).isEqualTo(Rate.gbits(gbits));
    }

    @Test
    void theRateOfFdrIsNoWholeNumber() {
        Rate rate = Rate.parse("4xFDR");
        assertThat(rate.bitsPerSecond()).isEqualTo(54_545_454_545L);
        assertThat(rate).hasToString("54.545 Gb/s");
        assertThat(Rate.parse("2.5")).hasToString("2.5 Gb/s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"4xZDR", "3xHDR", "4xhdr", "x", "-1", "", "4x", "400Gb/s"})
    void whatIsNoRateIsRefused(String text) {
        assertThatThrownBy(() -> Rate.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theSlowestCableOfAWayLimitsIt() {
        Topology topology = new Chain(2, 2).topology().withUplinks(SLOW);
        // Packets are stored twice; three cables and two switches, there and back.
        long expected = P + PACKETS * 4 * P + P + 5 * D + (A + 4 * A + A) + 5 * D;

        for (FabricSettings settings : List.of(Anchor.ethernet(), Anchor.infiniBand())) {
            assertThat(ended(topology, settings, PACKETS)).isEqualTo(expected);
        }
    }

    @Test
    void aLongCableTakesItsTimeOnce() {
        Topology topology = new Chain(2, 2).topology().withUplinks(FAR);
        long way = 4 * D + FAR_PS;
        long expected = (PACKETS + 2) * P + way + 3 * A + way;

        for (FabricSettings settings : List.of(Anchor.ethernet(), Anchor.infiniBand())) {
            assertThat(ended(topology, settings, PACKETS)).isEqualTo(expected);
        }
    }

    @Test
    void aPacketCutsThroughFromAFastCableToASlowOneOnly() {
        FabricSettings through =
                Anchor.infiniBand(
                        FabricKind.InfiniBand.DEFAULT
                                .withUpdateBlocks(Anchor.BLOCKS)
                                .withBufferBlocks(2048));
        // An acknowledgement is no longer than what a switch must have seen.
        long back = A + 4 * A + 3 * D;

        long toSlow = ended(single(CablePlan.USUAL, SLOW), through, 1);
        assertThat(toSlow).isEqualTo(A + 4 * P + 3 * D + back);
        long toFast = ended(single(SLOW, CablePlan.USUAL), through, 1);
        assertThat(toFast).isEqualTo(4 * P + P + 3 * D + back);
    }

    @Test
    void aPortSaysTheRateOfItsOwnCable() {
        Fabric fabric = new Fabric(single(CablePlan.USUAL, SLOW), FabricSettings.ROCE);

        assertThat(fabric.open(0).port(1).bitsPerSecond()).isEqualTo(400_000_000_000L);
        assertThat(fabric.open(1).port(1).bitsPerSecond()).isEqualTo(100_000_000_000L);
    }

    @Test
    void theShareOfTimeInWhichACableIsBusyIsOfItsOwnRate() {
        Fabric fabric = new Fabric(single(CablePlan.USUAL, SLOW), Anchor.ethernet());
        Anchor.run(fabric, List.of(Anchor.packets(0, 1, 1000)));

        List<PortCounts> ports = fabric.counters("switch");
        assertThat(ports.get(1).busy()).isCloseTo(1, within(0.02));
        assertThat(fabric.counters("left").getFirst().busy()).isCloseTo(0.25, within(0.01));
    }

    @Test
    void waitingForCreditIsCountedInTicksOfTheOwnCable() {
        Fabric fabric = new Fabric(single(CablePlan.USUAL, SLOW), Anchor.infiniBand());
        Anchor.run(fabric, List.of(Anchor.packets(0, 1, 1000)));

        // The sender waits for three quarters of the time; its own words take 80 ps.
        long ticks = fabric.counters("left").getFirst().counts().getOrDefault("PortXmitWait", 0L);
        assertThat((double) ticks * 80).isCloseTo(3000 * P, within(0.05 * 3000 * P));
    }

    @Test
    void ofATreeTheCablesBetweenSwitchesCanBeOthers() {
        FatTree tree = FatTree.threeTiers(2, 4);
        Topology topology = tree.topology().withUplinks(SLOW);
        Cable usual = FabricSettings.ROCE.cable();

        assertThat(topology).hasToString(tree.topology().toString());
        assertThat(topology.description()).isEqualTo(tree.topology().description());
        assertThat(topology.rates(usual))
                .isEqualTo(Map.of(Rate.gbits(400), 16, Rate.gbits(100), 32));
        assertThat(tree.topology().rates(usual)).isEqualTo(Map.of(Rate.gbits(400), 48));
    }
}
