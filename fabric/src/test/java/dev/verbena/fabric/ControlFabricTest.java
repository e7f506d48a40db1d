package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.verbena.transport.control.ControlChoice;
import dev.verbena.transport.control.ControlFacts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Controllers that are found by name, on one switch.
class ControlFabricTest {
    private static final int BYTES = 4_000_000;
    private static final int MTU = 4096;

    /// What an incast has shown.
    ///
    /// @param utilisation payload time at the receiver's line over the time of the last flow
    /// @param spread the first flow's time over the last one's
    private record Seen(double utilisation, double spread, long pauses) {}

    private static Seen incast(String name, int senders, int gbits) {
        Topology topology = FatTree.single(senders + 1).topology();
        FabricSettings usual = FabricSettings.ROCE.withCable(Cable.ofMetres(Rate.gbits(gbits), 20));
        long tripNs = RoundTrip.ns(topology, usual);
        int product = (int) (gbits * tripNs / 8);
        FabricKind.Ethernet kind = (FabricKind.Ethernet) usual.kind();
        Marking marking = new Marking(product / 5, product * 4 / 5, 1);
        Fabric fabric = new Fabric(topology, usual.withKind(kind.withMarking(marking)));
        ControlFacts line = new ControlFacts(gbits * 1_000_000_000L, MTU, tripNs);
        ControlChoice choice = ControlChoice.named(name, line, Map.of());
        FlowRun run =
                new FlowRun(
                        fabric,
                        Patterns.incast(senders + 1, senders, BYTES),
                        it -> it.control(choice).windowPackets(1 << 20));
        assertThat(run.run(1_000_000_000_000L)).isTrue();
        long[] times = run.timesPs();
        double wire = (double) (MTU + 82) / MTU;
        double bestPs = BYTES * wire * senders * 8_000 / gbits;
        long last = times[times.length - 1];
        return new Seen(bestPs / last, (double) times[0] / last, fabric.counts().pauses());
    }

    @ParameterizedTest
    @CsvSource({
        "swift, 8, 100", "swift, 8, 400", "swift, 32, 400", "swift, 128, 400",
        "nscc, 8, 100", "nscc, 8, 400", "nscc, 32, 400", "nscc, 128, 400"
    })
    void anIncastKeepsTheLineBusyWithoutPauses(String name, int senders, int gbits) {
        Seen seen = incast(name, senders, gbits);

        assertThat(seen.utilisation()).isBetween(0.9, 1.0);
        assertThat(seen.pauses()).isZero();
    }

    @Test
    void theRoundTripOfOneSwitchIsWhatAMessageOfOnePacketTakes() {
        Topology two = FatTree.single(2).topology();
        Fabric fabric = new Fabric(two, FabricSettings.ROCE);
        FlowRun run = new FlowRun(fabric, List.of(Flow.of(0, 1, MTU)), it -> {});
        assertThat(run.run(1_000_000_000L)).isTrue();

        assertThat((double) RoundTrip.ns(two, FabricSettings.ROCE))
                .isCloseTo(run.timesPs()[0] / 1000.0, within(5.0));
    }
}
