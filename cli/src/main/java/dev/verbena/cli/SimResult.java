package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.fabric.CongestionCounts;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricCounts;
import dev.verbena.fabric.FabricKind;
import dev.verbena.fabric.FlowRun;
import dev.verbena.fabric.MixRun;
import dev.verbena.fabric.PortCounts;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Comparator;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The result of a simulation, as text and as JSON.
final class SimResult {
    private static final double PS_PER_US = 1e6;
    private static final int BUSIEST = 3;
    private static final String RULE = "-".repeat(80);

    private final Fabric fabric;
    private final SimFlows flows;
    private final FlowRun run;
    private final SimSpeeds speeds;
    private final FabricCounts counts;
    private final CongestionCounts congestion;
    private final List<PortCounts> busiest;
    private final @Nullable SimMix mix;
    private final List<String> faults;
    private final SimBottleneck bottleneck;

    private final long longestPausePs;
    private final List<PortCounts> counters;

    /// @param alone by workload, the times of its flows alone; empty where there are no workloads
    /// @param faults as they were given
    /// @param counted names of the hosts and switches whose counters the result has
    SimResult(
            MixRun mixed,
            List<long[]> alone,
            SimHistory history,
            List<String> faults,
            List<String> counted) {
        fabric = mixed.fabric();
        counters = counted.stream().flatMap(it -> fabric.counters(it).stream()).toList();
        run = mixed.flows();
        flows = new SimFlows(mixed, !alone.isEmpty());
        mix = alone.isEmpty() ? null : new SimMix(mixed, alone);
        this.faults = faults;
        speeds = new SimSpeeds(fabric);
        counts = fabric.counts();
        congestion = fabric.congestion();
        List<PortCounts> ports = fabric.ports();
        busiest =
                ports.stream()
                        .sorted(
                                Comparator.comparingDouble(PortCounts::busy)
                                        .reversed()
                                        // Of equals the same ones, in whatever order they come.
                                        .thenComparing(PortCounts::node)
                                        .thenComparingInt(PortCounts::port))
                        .limit(BUSIEST)
                        .toList();
        bottleneck =
                new SimBottleneck(
                        history, busiest.getFirst(), ports.indexOf(busiest.getFirst()), fabric);
        longestPausePs = ports.stream().mapToLong(PortCounts::pausedPs).max().orElse(0);
    }

    String text(SimFlags flags, String title) {
        StringBuilder text = new StringBuilder();
        try (Formatter out = new Formatter(text, Locale.ROOT)) {
            out.format(" %s\n", fabric);
            fabric.topology().description().forEach(tier -> out.format("   %s\n", tier));
            String kind = kind(flags);
            out.format(" %s at %s, MTU %d, seed %d\n", kind, speeds.text(), flags.mtu, flags.seed);
            flags.warning(fabric.settings()).ifPresent(it -> out.format(" warning: %s\n", it));
            faults.forEach(it -> out.format(" fault: %s\n", it));
            flags.congestion.text(out);
            out.format(" %s\n%s\n", title, RULE);
            if (mix == null) {
                flows.table(out);
            } else {
                mix.table(out);
            }
            out.format("%s\n", RULE);
            boolean isEthernet = flags.kind == SimFlags.Kind.ROCE;
            run.deadlock().ifPresent(it -> SimDeadlock.text(it, isEthernet, out));
            SimStorms.text(fabric.storms(), out);
            flows.unfinished(out);
            traffic(flags, out);
            for (PortCounts port : counters) {
                counters(port, out);
            }
        }
        return text.toString();
    }

    private void traffic(SimFlags flags, Formatter out) {
        out.format(
                " packets sent %,d, over links %,d; dropped %,d\n",
                counts.injected(), counts.hops(), counts.drops());
        if (!faults.isEmpty()) {
            out.format(" packets lost on cables %,d\n", counts.lost());
        }
        if (flags.kind == SimFlags.Kind.ROCE) {
            out.format(
                    " pause frames %,d; the longest paused port waited %.2f us\n",
                    counts.pauses(), longestPausePs / PS_PER_US);
        } else {
            out.format(" credit frames %,d\n", counts.credits());
        }
        if (flags.congestion.isOn()) {
            out.format(
                    " packets marked %,d; CNPs sent %,d, received %,d; cuts %,d\n",
                    congestion.marked(),
                    congestion.noticesSent(),
                    congestion.noticesReceived(),
                    cuts());
        }
        out.format(" fullest buffer of a port %,d bytes\n", counts.highestBuffer());
        out.format(" busiest links:\n");
        for (PortCounts port : busiest) {
            out.format(
                    "   %5.1f %%  %s port %d to %s\n",
                    100 * port.busy(), port.node(), port.port(), port.neighbour());
        }
        bottleneck.text(out);
    }

    private long cuts() {
        long cuts = 0;
        for (int i = 0; i < run.flows().size(); i++) {
            cuts += run.cuts(i);
        }
        return cuts;
    }

    SimBottleneck bottleneck() {
        return bottleneck;
    }

    /// One line for a picture.
    String title(SimFlags flags, String flowTitle) {
        return "%s, %s, %s".formatted(kind(flags), speeds.text(), flowTitle);
    }

    private static void counters(PortCounts port, Formatter out) {
        out.format(" %s port %d to %s:\n", port.node(), port.port(), port.neighbour());
        port.counts().forEach((name, value) -> out.format("   %-28s %,d\n", name, value));
    }

    private static void counters(PortCounts port, JsonGenerator json) throws IOException {
        json.writeStartObject();
        name(port, json);
        for (Map.Entry<String, Long> count : port.counts().entrySet()) {
            json.writeNumberField(count.getKey(), count.getValue());
        }
        json.writeEndObject();
    }

    static void name(PortCounts port, JsonGenerator json) throws IOException {
        json.writeStringField("node", port.node());
        json.writeNumberField("port", port.port());
        json.writeStringField("neighbour", port.neighbour());
    }

    private static String kind(SimFlags flags) {
        return flags.kind == SimFlags.Kind.IB
                ? "InfiniBand, "
                        + (flags.routing.spread(flags.kind) == FabricKind.Spread.ADAPTIVE
                                ? "adaptive, "
                                : "")
                        + (flags.storeAndForward ? "store and forward" : "cut through")
                : "RoCE v2, "
                        + SimFlags.word(flags.routing.spread(flags.kind))
                        + (flags.lossy ? ", lossy" : ", lossless");
    }

    /// The tiers and settings, as the first lines of the text have them.
    private void settings(SimFlags flags, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("tiers");
        for (String tier : fabric.topology().description()) {
            json.writeString(tier);
        }
        json.writeEndArray();
        switch (flags.kind) {
            case IB -> json.writeBooleanField("cut_through", !flags.storeAndForward);
            case ROCE -> {
                json.writeStringField("spread", SimFlags.word(flags.routing.spread(flags.kind)));
                json.writeBooleanField("lossy", flags.lossy);
            }
        }
        speeds.json(json);
        json.writeNumberField("mtu", flags.mtu);
    }

    private void faults(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("faults");
        for (String each : faults) {
            json.writeString(each);
        }
        json.writeEndArray();
    }

    private void busiest(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("busiest_links");
        for (PortCounts port : busiest) {
            json.writeStartObject();
            name(port, json);
            json.writeNumberField("busy_percent", 100 * port.busy());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    String json(SimFlags flags) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("fabric", flags.kind.name().toLowerCase(Locale.ROOT));
            json.writeStringField("topology", fabric.toString());
            json.writeNumberField("hosts", fabric.topology().hosts());
            json.writeNumberField("switches", fabric.topology().switches());
            json.writeNumberField("cables", fabric.topology().cables());
            json.writeNumberField("free_ports", fabric.topology().freePorts());
            settings(flags, json);
            json.writeNumberField("seed", flags.seed);
            flows.json(json);
            json.writeNumberField("packets", counts.injected());
            json.writeNumberField("packet_hops", counts.hops());
            json.writeNumberField("drops", counts.drops());
            json.writeNumberField("packets_lost", counts.lost());
            json.writeNumberField("pause_frames", counts.pauses());
            json.writeNumberField("credit_frames", counts.credits());
            json.writeNumberField("longest_pause_us", longestPausePs / PS_PER_US);
            json.writeNumberField("packets_marked", congestion.marked());
            json.writeNumberField("cnps_sent", congestion.noticesSent());
            json.writeNumberField("cnps_received", congestion.noticesReceived());
            json.writeNumberField("cuts", cuts());
            json.writeNumberField("highest_buffer", counts.highestBuffer());
            json.writeNumberField("events", counts.events());
            if (flags.warning(fabric.settings()).isPresent()) {
                json.writeStringField("warning", flags.warning(fabric.settings()).get());
            }
            busiest(json);
            bottleneck.json(json);
            flags.congestion.json(json);
            faults(json);
            if (mix != null) {
                mix.json(json);
            }
            flows.unfinished(json);
            if (run.deadlock().isPresent()) {
                SimDeadlock.json(run.deadlock().get(), json);
            }
            if (!fabric.storms().isEmpty()) {
                SimStorms.json(fabric.storms(), json);
            }
            if (!counters.isEmpty()) {
                json.writeArrayFieldStart("ports");
                for (PortCounts port : counters) {
                    counters(port, json);
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        }
        return text + "\n";
    }
}
