package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.fabric.CongestionCounts;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricCounts;
import dev.verbena.fabric.FailedFlow;
import dev.verbena.fabric.Flow;
import dev.verbena.fabric.FlowRun;
import dev.verbena.fabric.PortCounts;
import dev.verbena.verbs.CompletionStatus;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Comparator;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The result of a simulation, as text and as JSON.
final class SimResult {
    private static final double PS_PER_US = 1e6;
    private static final double[] PERCENTILES = {50, 90, 99};
    private static final int BUSIEST = 3;
    private static final int FAILURES = 8;
    private static final String RULE = "-".repeat(80);
    private static final String HEADINGS =
            " #flows   t_min[us]   t_50%[us]   t_90%[us]   t_99%[us]   t_max[us]   BW[Gb/sec]\n";

    private final Fabric fabric;
    private final List<Flow> flows;
    private final FlowRun run;
    private final SimSpeeds speeds;
    private final FabricCounts counts;
    private final CongestionCounts congestion;
    private final long[] times;
    private final List<PortCounts> busiest;
    private final long longestPausePs;
    private final List<PortCounts> counters;

    /// @param counted names of the hosts and switches whose counters the result has
    SimResult(Fabric fabric, List<Flow> flows, FlowRun run, List<String> counted) {
        counters = counted.stream().flatMap(it -> fabric.counters(it).stream()).toList();
        this.fabric = fabric;
        this.flows = flows;
        this.run = run;
        speeds = new SimSpeeds(fabric);
        counts = fabric.counts();
        congestion = fabric.congestion();
        times = run.timesPs();
        List<PortCounts> ports = fabric.ports();
        busiest =
                ports.stream()
                        .sorted(Comparator.comparingDouble(PortCounts::busy).reversed())
                        .limit(BUSIEST)
                        .toList();
        longestPausePs = ports.stream().mapToLong(PortCounts::pausedPs).max().orElse(0);
    }

    private long bytes() {
        long sum = 0;
        for (int i = 0; i < flows.size(); i++) {
            sum += run.endPs(i) == FlowRun.NOT_YET ? 0 : flows.get(i).bytes();
        }
        return sum;
    }

    /// Bytes delivered, over the whole simulated time.
    private double goodputGbits() {
        return times.length == 0 ? 0 : bytes() * 8e3 / fabric.nowPs();
    }

    private double us(double percentile) {
        int index = (int) Math.ceil(percentile / 100 * times.length) - 1;
        return times[Math.clamp(index, 0, times.length - 1)] / PS_PER_US;
    }

    String text(SimFlags flags, String title) {
        StringBuilder text = new StringBuilder();
        try (Formatter out = new Formatter(text, Locale.ROOT)) {
            out.format(" %s\n", fabric);
            fabric.topology().description().forEach(tier -> out.format("   %s\n", tier));
            String kind = kind(flags);
            out.format(" %s at %s, MTU %d, seed %d\n", kind, speeds.text(), flags.mtu, flags.seed);
            out.format(" %s\n%s\n", title, RULE);
            text.append(HEADINGS);
            if (times.length > 0) {
                out.format(
                        " %-8d %-11.2f %-11.2f %-11.2f %-11.2f %-11.2f %.2f\n",
                        times.length, us(0), us(50), us(90), us(99), us(100), goodputGbits());
            }
            out.format("%s\n", RULE);
            failed(out);
            unfinished(flags, out);
            traffic(flags, out);
            for (PortCounts port : counters) {
                counters(port, out);
            }
        }
        return text.toString();
    }

    /// Says why flows failed, each in a line, up to a number of lines.
    private void failed(Formatter out) {
        List<FailedFlow> failed = run.failed();
        for (FailedFlow each : failed.subList(0, Math.min(failed.size(), FAILURES))) {
            Flow flow = flows.get(each.flow());
            out.format(
                    " queue pair 0x%x %s: flow %d from host %d to host %d\n",
                    each.queuePair(),
                    reason(each),
                    each.flow() + 1,
                    flow.source(),
                    flow.destination());
        }
        if (failed.size() > FAILURES) {
            out.format(" %,d more; --json has all\n", failed.size() - FAILURES);
        }
        if (!failed.isEmpty()) {
            out.format(" %,d of %,d flows failed\n", failed.size(), flows.size());
        }
        if (!run.unstarted().isEmpty()) {
            out.format(
                    " %,d of %,d flows did not start: the flows that start them failed\n",
                    run.unstarted().size(), flows.size());
        }
    }

    private static String reason(FailedFlow failed) {
        return failed.status() == CompletionStatus.RETRY_EXCEEDED
                ? "gave up after " + FlowRun.RETRIES + " retries"
                : "failed with " + failed.status();
    }

    private void unfinished(SimFlags flags, Formatter out) {
        boolean isEthernet = flags.kind == SimFlags.Kind.ROCE;
        run.deadlock().ifPresent(it -> SimDeadlock.text(it, isEthernet, out));
        if (run.pending() > 0) {
            out.format(
                    " %,d of %,d flows are not over after %.0f us: %s\n",
                    run.pending(), flows.size(), fabric.nowPs() / PS_PER_US, reason());
        }
    }

    private String reason() {
        if (run.deadlock().isPresent()) {
            return "in deadlock they never will be";
        }
        return fabric.isIdle() ? "no event is left" : "allow more time with --limit";
    }

    private void traffic(SimFlags flags, Formatter out) {
        out.format(
                " packets sent %,d, over links %,d; dropped %,d\n",
                counts.injected(), counts.hops(), counts.drops());
        if (flags.kind == SimFlags.Kind.ROCE) {
            out.format(
                    " pause frames %,d; the longest paused port waited %.2f us\n",
                    counts.pauses(), longestPausePs / PS_PER_US);
        } else {
            out.format(" credit frames %,d\n", counts.credits());
        }
        if (flags.congestion.isOn()) {
            out.format(
                    " packets marked %,d; CNPs sent %,d, received %,d\n",
                    congestion.marked(), congestion.noticesSent(), congestion.noticesReceived());
        }
        out.format(" fullest buffer of a port %,d bytes\n", counts.highestBuffer());
        out.format(" busiest links:\n");
        for (PortCounts port : busiest) {
            out.format(
                    "   %5.1f %%  %s port %d to %s\n",
                    100 * port.busy(), port.node(), port.port(), port.neighbour());
        }
    }

    private static void counters(PortCounts port, Formatter out) {
        out.format(" %s port %d to %s:\n", port.node(), port.port(), port.neighbour());
        port.counts().forEach((name, value) -> out.format("   %-28s %,d\n", name, value));
    }

    private void failed(JsonGenerator json) throws IOException {
        if (run.failed().isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("failed");
        for (FailedFlow each : run.failed()) {
            json.writeStartObject();
            json.writeNumberField("flow", each.flow() + 1);
            json.writeNumberField("source", flows.get(each.flow()).source());
            json.writeNumberField("destination", flows.get(each.flow()).destination());
            json.writeNumberField("queue_pair", each.queuePair());
            json.writeStringField("status", each.status().name());
            json.writeNumberField("retries", FlowRun.RETRIES);
            json.writeNumberField("time_us", each.timePs() / PS_PER_US);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void counters(PortCounts port, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("node", port.node());
        json.writeNumberField("port", port.port());
        json.writeStringField("neighbour", port.neighbour());
        for (Map.Entry<String, Long> count : port.counts().entrySet()) {
            json.writeNumberField(count.getKey(), count.getValue());
        }
        json.writeEndObject();
    }

    private static String kind(SimFlags flags) {
        return flags.kind == SimFlags.Kind.IB
                ? "InfiniBand, " + (flags.storeAndForward ? "store and forward" : "cut through")
                : "RoCE v2, "
                        + flags.spread.name().toLowerCase(Locale.ROOT)
                        + (flags.lossy ? ", lossy" : ", lossless");
    }

    String json(SimFlags flags) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("fabric", flags.kind.name().toLowerCase(Locale.ROOT));
            json.writeNumberField("hosts", fabric.topology().hosts());
            json.writeNumberField("switches", fabric.topology().switches());
            json.writeNumberField("cables", fabric.topology().cables());
            json.writeNumberField("free_ports", fabric.topology().freePorts());
            speeds.json(json);
            json.writeNumberField("seed", flags.seed);
            json.writeNumberField("flows", flows.size());
            json.writeNumberField("flows_done", times.length);
            json.writeNumberField("flows_failed", run.failed().size());
            json.writeNumberField("flows_not_started", run.unstarted().size());
            if (times.length > 0) {
                json.writeNumberField("t_min", us(0));
                for (double percentile : PERCENTILES) {
                    json.writeNumberField("t_" + (int) percentile, us(percentile));
                }
                json.writeNumberField("t_max", us(100));
            }
            json.writeNumberField("BW_average", goodputGbits());
            json.writeNumberField("simulated_us", fabric.nowPs() / PS_PER_US);
            json.writeNumberField("packets", counts.injected());
            json.writeNumberField("packet_hops", counts.hops());
            json.writeNumberField("drops", counts.drops());
            json.writeNumberField("pause_frames", counts.pauses());
            json.writeNumberField("credit_frames", counts.credits());
            json.writeNumberField("longest_pause_us", longestPausePs / PS_PER_US);
            json.writeNumberField("packets_marked", congestion.marked());
            json.writeNumberField("cnps_sent", congestion.noticesSent());
            json.writeNumberField("cnps_received", congestion.noticesReceived());
            json.writeNumberField("highest_buffer", counts.highestBuffer());
            json.writeNumberField("events", counts.events());
            failed(json);
            if (run.deadlock().isPresent()) {
                SimDeadlock.json(run.deadlock().get(), json);
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
