package dev.verbena.fabric;

import static dev.verbena.fabric.Anchor.A;
import static dev.verbena.fabric.Anchor.D;
import static dev.verbena.fabric.Anchor.P;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// One switch, and what the adapters at its sides add to it.
class NicProfileTest {
    private static final Topology TWO = FatTree.single(2).topology();
    private static final int PACKETS = 50;

    /// Two links and a switch, there and back.
    private static final long WAY = 6 * D + 2 * A;

    private static long time(NicProfile profile) {
        Fabric fabric = new Fabric(TWO, Anchor.ethernet().withNic(profile));
        return Anchor.run(fabric, List.of(Anchor.packets(0, 1, PACKETS))).endPs(0);
    }

    @Test
    void anIdealAdapterAddsNothing() {
        assertThat(time(NicProfile.IDEAL)).isEqualTo((PACKETS + 1) * P + WAY);
    }

    @Test
    void latencyIsAddedOnceForThePostAndOnceForEachWay() {
        NicProfile profile = new NicProfile(700_000, 300_000, 0, 0);
        assertThat(time(profile)).isEqualTo((PACKETS + 1) * P + WAY + 700_000 + 2 * 300_000);
    }

    @Test
    void packetsOfASlowAdapterBeginAsFarApartAsItNeeds() {
        long gap = 3 * P + 7;
        NicProfile profile = new NicProfile(0, 0, gap, 0);
        assertThat(time(profile)).isEqualTo((PACKETS - 1) * gap + 2 * P + WAY);
    }

    @Test
    void theRateOfPacketsLimitsSmallMessagesToo() {
        long gapPs = 1_000_000;
        int messages = 1_000;
        Fabric fabric = new Fabric(TWO, Anchor.ethernet().withNic(new NicProfile(0, 0, gapPs, 0)));
        FlowRun run = Anchor.run(fabric, Collections.nCopies(messages, Flow.of(0, 1, 8)));
        long[] times = run.timesPs();

        assertThat(times[messages - 1]).isGreaterThanOrEqualTo((messages - 1) * gapPs);
        assertThat(times[messages - 1]).isLessThan((messages + 10) * gapPs);
    }

    /// Whatever else the adapter does, it has not seen the request before.
    @Test
    void aMessageBehindAnotherIsNotFasterThanAlone() {
        NicProfile profile = new NicProfile(5_000_000, 5_000_000, 0, 0);
        Flow bulk = Flow.of(0, 1, 10_000_000);
        Flow small = Flow.of(0, 2, 8).startingAt(10_000_000);
        Topology three = FatTree.single(3).topology();
        Fabric idle = new Fabric(three, Anchor.ethernet().withNic(profile));
        Fabric busy = new Fabric(three, Anchor.ethernet().withNic(profile));
        long alonePs = Anchor.run(idle, List.of(small)).timesPs()[0];
        long behindPs = Anchor.run(busy, List.of(bulk, small)).timesPs()[0];

        assertThat(behindPs).isBetween(alonePs, alonePs + 3 * P);
    }

    @Test
    void anAdapterThatIsFasterThanItsLinkIsLimitedByTheLink() {
        NicProfile profile = new NicProfile(0, 0, P, 0);
        assertThat(time(profile)).isEqualTo((PACKETS + 1) * P + WAY);
    }

    @Test
    void oneAcknowledgementWaitsAndStandsForAll() {
        // Longer than all packets take, so that the last has come when the first is answered.
        NicProfile profile = new NicProfile(0, 0, 0, 10_000);
        Fabric fabric = new Fabric(TWO, Anchor.ethernet().withNic(profile));
        long ended = Anchor.run(fabric, List.of(Anchor.packets(0, 1, PACKETS))).endPs(0);

        assertThat(fabric.counters("host 1").getFirst().counts())
                .containsEntry("tx_prio0_packets", 1L);
        // From the first packet's arrival, in whole nanoseconds as the transport counts them.
        long firstPs = 2 * P + 3 * D;
        assertThat(ended).isBetween(firstPs + 10_000_000 + WAY / 2, firstPs + 10_002_000 + WAY);
    }

    @Test
    void anAdapterCannotAnswerBeforeItIsAsked() {
        assertThatThrownBy(() -> new NicProfile(-1, 0, 0, 0)).hasMessageContaining("0 to a second");
    }
}
