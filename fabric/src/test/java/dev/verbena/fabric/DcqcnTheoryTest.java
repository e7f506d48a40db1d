package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.carrier.CongestionSettings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// DCQCN with the paper's parameters at 40 Gb/s and packets of 1 KB, beside its fluid model and
/// what others report of it.
class DcqcnTheoryTest {
    private static final long MS = 1_000_000_000;
    private static final long LOOK_PS = 10_000_000;
    private static final int TRANSPORT_BYTES = 12 + 1024 + 4;
    private static final int WIRE_BYTES = 1106;

    /// How much longer a queue may be than the model's.
    private static final double QUEUE_OFF = 0.75;

    private static final Rate LINK = Rate.gbits(40);
    private static final CongestionSettings SETTINGS =
            CongestionSettings.published(LINK.bitsPerSecond());

    /// The paper's slope, 1 % for 195 KB, but without its jump to all packets at 1 %: the model
    /// knows no jump.
    private static final Marking SLOPE = new Marking(5_000, 19_505_000, 1);

    /// No pauses: the model knows none.
    private static Incast incast(int senders, long everyPs, Marking marking) {
        FabricKind.Ethernet kind =
                FabricKind.Ethernet.DEFAULT
                        .withMarking(marking)
                        .withBuffer(BufferSettings.fixed(1 << 29, 1 << 29, 1 << 20));
        FabricSettings settings =
                FabricSettings.ROCE
                        .withCable(Cable.ofMetres(LINK, 20))
                        .withMtu(1024)
                        .withKind(kind);
        assertThat(settings.framing().wireBytes(TRANSPORT_BYTES, 1024, false))
                .isEqualTo(WIRE_BYTES);
        return new Incast(senders, everyPs, settings, options -> options.congestion(SETTINGS));
    }

    /// The queue is longer than the model's at every number of flows, by a factor of 1.2 to 1.55:
    /// the model takes marks for independent, and rates for constant between them.
    @ParameterizedTest
    @CsvSource({
        "2, 0.00087, 22053",
        "8, 0.00512, 104762",
        "32, 0.02870, 564639",
        "128, 0.14516, 2835576"
    })
    void flowsSettleAtTheFixedPoint(int flows, double marks, double queueBytes) {
        FluidModel model = new FluidModel(SETTINGS, LINK, WIRE_BYTES, TRANSPORT_BYTES);
        assertThat(model.marks(flows)).isBetween(marks - 0.00001, marks + 0.00001);
        assertThat(model.queueBytes(flows, SLOPE)).isBetween(queueBytes - 1, queueBytes + 1);

        Incast.Seen seen = settled(flows);
        System.out.printf(
                "%d flows: use %.4f, queue %,.0f, %.2f of the model's, fairness %.4f%n",
                flows,
                seen.use(),
                seen.queueBytes(),
                seen.queueBytes() / queueBytes,
                seen.fairness());
        assertThat(seen.queueBytes() / queueBytes).as("queue").isBetween(1.0, 1.75);
        assertThat(seen.use()).as("use of the link").isGreaterThan(0.99);
        assertThat(seen.fairness()).as("Jain's index").isGreaterThan(0.99);
        double each = model.share(flows) * 0.05;
        for (long sent : seen.sent()) {
            assertThat(sent / each).as("share of a flow").isBetween(0.7, 1.3);
        }
    }

    /// What is seen of flows that all began 60 ms ago.
    private static Incast.Seen settled(int flows) {
        Incast incast = incast(flows, 0, SLOPE);
        incast.until(60 * MS, LOOK_PS);
        return incast.until(110 * MS, LOOK_PS);
    }

    /// Rows of the page on what the simulation is held against.
    static void validate(List<Validation> all) {
        String rest = "fluid model of others, with the paper's parameters";
        FluidModel model = new FluidModel(SETTINGS, LINK, WIRE_BYTES, TRANSPORT_BYTES);
        for (int flows : new int[] {2, 8, 32}) {
            Incast.Seen seen = settled(flows);
            String subject = "DCQCN at 40 Gb/s, queue of %d flows".formatted(flows);
            double queue = model.queueBytes(flows, SLOPE);
            String form = "marks at the fixed point, by the slope";
            all.add(
                    new Validation(
                            subject, form, "bytes", queue, seen.queueBytes(), QUEUE_OFF, rest));
            all.add(new Validation("its use of the link", "1", "", 1, seen.use(), 0.01, rest));
            all.add(new Validation("its fairness", "1", "", 1, seen.fairness(), 0.02, rest));
        }
        String paper = "SIGCOMM 2015, section 4";
        double pause = Thresholds.fixedPause(12e6, 32, 8, 22.4e3);
        String its = "32 ports, 12 MB, 8 priorities: ";
        String form = "(B - 256 headroom) / 256";
        all.add(new Validation(its + "pause at", form, "bytes", 24.47e3, pause, 0.0005, paper));
        double mark = Thresholds.marksBefore(12e6, 32, 8, 22.4e3, 1);
        form = "8 (B - 256 headroom) / (256 * 9)";
        all.add(new Validation(its + "mark below", form, "bytes", 21.75e3, mark, 0.0005, paper));
    }

    /// One flow has had the link for 20 ms when the second begins. After 30 ms both have the same.
    @Test
    void twoFlowsAreFairAfterThirtyMilliseconds() {
        long startPs = 20 * MS;
        Incast incast = incast(2, startPs, SLOPE);
        Incast.Seen alone = incast.until(startPs, LOOK_PS);
        assertThat(alone.fairness()).isBetween(0.5, 0.501);
        incast.until(startPs + 30 * MS, LOOK_PS);
        for (int i = 1; i <= 4; i++) {
            Incast.Seen seen = incast.until(startPs + (30 + 20 * i) * MS, LOOK_PS);
            System.out.printf("20 ms of two flows: fairness %.4f%n", seen.fairness());
            assertThat(seen.fairness()).as("Jain's index").isGreaterThan(0.98);
            assertThat(seen.use()).as("use of the link").isGreaterThan(0.98);
        }
    }

    /// A flow that sends less than one packet in a period of its timer cannot be held down: it
    /// rises between any two marks. That is C T / packet = 248 flows; others report that DCQCN
    /// cannot drain an incast of about 160 at this rate. Below, the queue stays at Kmax, where all
    /// packets are marked; above, it does not.
    @Test
    void manyFlowsCannotBeHeldAtTheThreshold() {
        double limit = LINK.bitsPerSecond() / 8.0 / WIRE_BYTES * SETTINGS.rise().everyNs() / 1e9;
        assertThat(limit).isBetween(248.0, 249.0);
        assertThat(longest(64)).isLessThan(1.1);
        assertThat(longest(256)).isGreaterThan(2);
    }

    /// The longest queue, once the start is over, as a multiple of Kmax.
    private static double longest(int flows) {
        Incast incast = incast(flows, 0, Marking.PUBLISHED);
        incast.until(60 * MS, LOOK_PS);
        Incast.Seen seen = incast.until(80 * MS, LOOK_PS);
        double times = (double) seen.highestBytes() / Marking.PUBLISHED.mostBytes();
        System.out.printf("%d flows: longest queue %.2f of Kmax%n", flows, times);
        return times;
    }
}
