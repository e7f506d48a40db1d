package dev.verbena.fabric;

import dev.verbena.transport.TransportOptions;
import dev.verbena.transport.carrier.CongestionSettings;
import dev.verbena.transport.control.ControlChoice;
import dev.verbena.transport.control.ControlFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Incasts with and without congestion control, and what the link to the receiver had of them.
///
/// @param use part of the time, until the last flow was over, in which that link was busy
/// @param meanBytes mean length of the queue before it
/// @param highestBytes its greatest length
/// @param lastPs end of the last flow
record CongestionTable(
        Control control,
        int senders,
        Rate rate,
        double use,
        double meanBytes,
        long highestBytes,
        long pauses,
        CongestionCounts counts,
        long lastPs) {
    private static final long BYTES = 10 << 20;
    private static final long LOOK_PS = 2_000_000;
    private static final long LIMIT_PS = 2_000_000_000_000L;
    private static final int METRES = 20;
    private static final int ACK_EVERY = 64;
    private static final int WINDOW = 1 << 20;

    /// What controls the senders.
    enum Control {
        NONE("none"),
        PUBLISHED("DCQCN, published"),
        ADAPTER("DCQCN, adapter"),
        PRODUCTION("DCQCN, production"),
        SWIFT("swift"),
        NSCC("nscc");

        private final String title;

        Control(String title) {
            this.title = title;
        }

        Marking marking(ControlFacts line) {
            double trip = line.bandwidthDelayBytes();
            return switch (this) {
                case NONE, SWIFT -> Marking.NONE;
                case PUBLISHED -> Marking.PUBLISHED;
                case ADAPTER, PRODUCTION -> Marking.production(new Rate(line.bitsPerSecond()));
                case NSCC -> new Marking((int) (0.2 * trip), (int) (0.8 * trip), 1);
            };
        }

        void apply(TransportOptions options, ControlFacts facts) {
            options.ackRequestEvery(ACK_EVERY).windowPackets(WINDOW);
            long line = facts.bitsPerSecond();
            switch (this) {
                case SWIFT, NSCC -> options.control(ControlChoice.named(title, facts, Map.of()));
                case NONE -> {}
                case PUBLISHED -> options.congestion(CongestionSettings.published(line));
                case ADAPTER -> options.congestion(CongestionSettings.adapter(line));
                case PRODUCTION -> options.congestion(CongestionSettings.production(line));
            }
        }
    }

    static List<CongestionTable> all() {
        List<CongestionTable> all = new ArrayList<>();
        for (int gbits : new int[] {100, 400}) {
            for (int senders : new int[] {8, 32, 128}) {
                for (Control control : Control.values()) {
                    all.add(of(control, senders, Rate.gbits(gbits)));
                }
            }
        }
        return all;
    }

    static CongestionTable of(Control control, int senders, Rate rate) {
        FabricKind.Ethernet kind = (FabricKind.Ethernet) FabricSettings.ROCE.kind();
        FabricSettings usual = FabricSettings.ROCE.withCable(Cable.ofMetres(rate, METRES));
        Topology topology = FatTree.single(senders + 1).topology();
        ControlFacts line =
                new ControlFacts(rate.bitsPerSecond(), usual.mtu(), RoundTrip.ns(topology, usual));
        Fabric fabric =
                new Fabric(topology, usual.withKind(kind.withMarking(control.marking(line))));
        FlowRun run =
                new FlowRun(
                        fabric,
                        Patterns.incast(senders + 1, senders, BYTES),
                        options -> control.apply(options, line));
        OutPort link = new Census(fabric).neighbour(0);
        double sum = 0;
        long highest = 0;
        long looks = 0;
        while (run.pending() > 0 && looks * LOOK_PS < LIMIT_PS) {
            looks++;
            run.run(looks * LOOK_PS);
            long queue = link.waitingBytes(0);
            sum += queue;
            highest = Math.max(highest, queue);
        }
        long lastPs = 0;
        for (int i = 0; i < senders; i++) {
            lastPs = Math.max(lastPs, run.endPs(i));
        }
        return new CongestionTable(
                control,
                senders,
                rate,
                (double) link.busyPs() / lastPs,
                sum / looks,
                highest,
                fabric.counts().pauses(),
                fabric.congestion(),
                lastPs);
    }

    String row() {
        return String.format(
                Locale.ROOT,
                "| %d:1 | %s | %s | %.3f | %,.0f | %,d | %,d | %,d | %.2f |%n",
                senders,
                rate,
                control.title,
                use,
                meanBytes / 1e3,
                highestBytes / 1000,
                pauses,
                counts.noticesSent(),
                lastPs / 1e9);
    }
}
