package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FailedFlow;
import dev.verbena.fabric.Flow;
import dev.verbena.fabric.FlowRun;
import dev.verbena.fabric.MixRun;
import dev.verbena.fabric.Workload;
import dev.verbena.verbs.CompletionStatus;
import java.io.IOException;
import java.util.Arrays;
import java.util.Formatter;
import java.util.List;
import java.util.stream.IntStream;

/// The flows of a simulation: their times, the bytes delivered, and the flows that failed, did not
/// start, or are not over.
final class SimFlows {
    private static final double PS_PER_US = 1e6;
    private static final double[] PERCENTILES = {50, 90, 99};

    /// Flows that are named in the text, of those that failed and of those that did not start.
    private static final int NAMED = 8;

    private static final String HEADINGS =
            " #flows   t_min[us]   t_50%[us]   t_90%[us]   t_99%[us]   t_max[us]   BW[Gb/sec]\n";

    private final Fabric fabric;
    private final MixRun mixed;

    /// Those over RDMA, which can fail.
    private final FlowRun run;

    private final List<Flow> flows;

    /// Whether the user named workloads.
    private final boolean isMix;

    private final int total;
    private final long[] times;
    private final long asked;
    private final long delivered;

    SimFlows(MixRun mixed, boolean isMix) {
        this.mixed = mixed;
        this.isMix = isMix;
        fabric = mixed.fabric();
        run = mixed.flows();
        flows = run.flows();
        List<Workload> all = mixed.workloads();
        total = all.stream().mapToInt(it -> it.flows().size()).sum();
        times =
                IntStream.range(0, all.size())
                        .mapToObj(mixed::timesPs)
                        .flatMapToLong(Arrays::stream)
                        .filter(it -> it != FlowRun.NOT_YET)
                        .sorted()
                        .toArray();
        asked = IntStream.range(0, all.size()).mapToLong(mixed::askedBytes).sum();
        delivered = mixed.deliveredBytes();
    }

    /// Bytes that receivers have, over the time from the first start to the last end.
    private double goodputGbits() {
        return delivered == 0 ? 0 : delivered * 8e3 / mixed.spanPs();
    }

    private double us(double percentile) {
        int index = (int) Math.ceil(percentile / 100 * times.length) - 1;
        return times[Math.clamp(index, 0, times.length - 1)] / PS_PER_US;
    }

    void table(Formatter out) {
        out.format("%s", HEADINGS);
        if (times.length > 0) {
            out.format(
                    " %-8d %-11.2f %-11.2f %-11.2f %-11.2f %-11.2f %.2f\n",
                    times.length, us(0), us(50), us(90), us(99), us(100), goodputGbits());
        } else {
            out.format(
                    " %-8d %-11s %-11s %-11s %-11s %-11s %.2f\n",
                    0, "-", "-", "-", "-", "-", goodputGbits());
        }
    }

    /// Says which flows failed or did not start, and how many are not over.
    void unfinished(Formatter out) {
        failed(out);
        unstarted(out);
        if (mixed.pending() > 0) {
            out.format(
                    " %,d of %,d flows are not over after %.0f us: %s\n",
                    mixed.pending(), total, fabric.nowPs() / PS_PER_US, reason());
        }
        if (mixed.left() > 0) {
            out.format(" delivered %,d of %,d bytes\n", delivered, asked);
        }
    }

    private String reason() {
        if (run.deadlock().isPresent()) {
            return "in deadlock they never will be";
        }
        return fabric.isIdle() ? "no event is left" : "allow more time with --limit";
    }

    private void failed(Formatter out) {
        List<FailedFlow> failed = run.failed();
        for (FailedFlow each : failed.subList(0, Math.min(failed.size(), NAMED))) {
            out.format(
                    " queue pair 0x%x %s: %s\n", each.queuePair(), reason(each), name(each.flow()));
        }
        more(out, failed.size());
        if (!failed.isEmpty()) {
            out.format(" %,d of %,d flows failed\n", failed.size(), total);
        }
    }

    private static String reason(FailedFlow failed) {
        return failed.status() == CompletionStatus.RETRY_EXCEEDED
                ? "gave up after " + FlowRun.RETRIES + " retries"
                : "failed with " + failed.status();
    }

    private void unstarted(Formatter out) {
        List<Integer> unstarted = run.unstarted();
        for (int each : unstarted.subList(0, Math.min(unstarted.size(), NAMED))) {
            out.format(" did not start: %s\n", name(each));
        }
        more(out, unstarted.size());
        if (!unstarted.isEmpty()) {
            out.format(
                    " %,d of %,d flows did not start: the flows that start them failed\n",
                    unstarted.size(), total);
        }
    }

    private static void more(Formatter out, int count) {
        if (count > NAMED) {
            out.format(" %,d more; --json has all\n", count - NAMED);
        }
    }

    private String name(int flow) {
        String of = isMix ? " of " + mixed.workloads().get(mixed.workload(flow)).name() : "";
        return "flow %d%s from host %d to host %d"
                .formatted(
                        mixed.numberInWorkload(flow) + 1,
                        of,
                        flows.get(flow).source(),
                        flows.get(flow).destination());
    }

    void json(JsonGenerator json) throws IOException {
        json.writeNumberField("flows", total);
        json.writeNumberField("flows_done", times.length);
        json.writeNumberField("flows_failed", run.failed().size());
        json.writeNumberField("flows_not_started", run.unstarted().size());
        json.writeNumberField("flows_pending", mixed.pending());
        if (times.length > 0) {
            json.writeNumberField("t_min", us(0));
            for (double percentile : PERCENTILES) {
                json.writeNumberField("t_" + (int) percentile, us(percentile));
            }
            json.writeNumberField("t_max", us(100));
        }
        json.writeNumberField("bytes", asked);
        json.writeNumberField("bytes_delivered", delivered);
        json.writeNumberField("span_us", mixed.spanPs() / PS_PER_US);
        json.writeNumberField("BW_average", goodputGbits());
        json.writeNumberField("simulated_us", fabric.nowPs() / PS_PER_US);
    }

    /// Arrays of the flows that failed and that did not start; none where there are none.
    void unfinished(JsonGenerator json) throws IOException {
        if (!run.failed().isEmpty()) {
            json.writeArrayFieldStart("failed");
            for (FailedFlow each : run.failed()) {
                json.writeStartObject();
                name(each.flow(), json);
                json.writeNumberField("queue_pair", each.queuePair());
                json.writeStringField("status", each.status().name());
                json.writeNumberField("retries", FlowRun.RETRIES);
                json.writeNumberField("time_us", each.timePs() / PS_PER_US);
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        if (!run.unstarted().isEmpty()) {
            json.writeArrayFieldStart("not_started");
            for (int each : run.unstarted()) {
                json.writeStartObject();
                name(each, json);
                json.writeEndObject();
            }
            json.writeEndArray();
        }
    }

    private void name(int flow, JsonGenerator json) throws IOException {
        if (isMix) {
            json.writeStringField("workload", mixed.workloads().get(mixed.workload(flow)).name());
        }
        json.writeNumberField("flow", mixed.numberInWorkload(flow) + 1);
        json.writeNumberField("source", flows.get(flow).source());
        json.writeNumberField("destination", flows.get(flow).destination());
    }
}
