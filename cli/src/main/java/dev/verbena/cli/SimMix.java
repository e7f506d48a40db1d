package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.fabric.FlowRun;
import dev.verbena.fabric.MixRun;
import dev.verbena.fabric.Workload;
import java.io.IOException;
import java.util.Arrays;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// Workloads beside each other: their times and rates, and how much longer they took than each of
/// them alone on a fabric without faults.
final class SimMix {
    private static final double PS_PER_US = 1e6;

    private final MixRun run;

    /// By workload, each flow's time alone.
    private final List<long[]> alone;

    SimMix(MixRun run, List<long[]> alone) {
        this.run = run;
        this.alone = alone;
    }

    void table(Formatter out) {
        out.format(
                " %-12s %-7s %6s %11s %11s %9s %8s %8s\n",
                "workload",
                "class",
                "#flows",
                "t_50%[us]",
                "t_max[us]",
                "BW[Gb/s]",
                "slow_50%",
                "slow_max");
        for (int i = 0; i < run.workloads().size(); i++) {
            Workload each = run.workloads().get(i);
            double[] times = times(i);
            double[] slow = slowdowns(i);
            out.format(
                    " %-12s %-7s %6d %11s %11s %9.2f %8s %8s\n",
                    each.name(),
                    SimFlags.word(each.protocol()) + "/" + each.flows().getFirst().level(),
                    times.length,
                    text(times, 50),
                    text(times, 100),
                    gbits(i),
                    text(slow, 50),
                    text(slow, 100));
        }
    }

    private static String text(double[] sorted, double percentile) {
        return sorted.length == 0
                ? "-"
                : String.format(Locale.ROOT, "%.2f", at(sorted, percentile));
    }

    private static double at(double[] sorted, double percentile) {
        int index = (int) Math.ceil(percentile / 100 * sorted.length) - 1;
        return sorted[Math.clamp(index, 0, sorted.length - 1)];
    }

    /// Of the flows that are over, in microseconds, the shortest first.
    private double[] times(int workload) {
        return Arrays.stream(run.timesPs(workload))
                .filter(it -> it != FlowRun.NOT_YET)
                .mapToDouble(it -> it / PS_PER_US)
                .sorted()
                .toArray();
    }

    /// Of the flows that are over, here and alone.
    private double[] slowdowns(int workload) {
        long[] here = run.timesPs(workload);
        long[] lonely = alone.get(workload);
        return IntStream.range(0, here.length)
                .filter(i -> here[i] != FlowRun.NOT_YET && lonely[i] != FlowRun.NOT_YET)
                .mapToDouble(i -> (double) here[i] / lonely[i])
                .sorted()
                .toArray();
    }

    private double gbits(int workload) {
        long bytes = run.deliveredBytes(workload);
        return bytes == 0 ? 0 : bytes * 8e3 / run.spanPs(workload);
    }

    void json(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("workloads");
        for (int i = 0; i < run.workloads().size(); i++) {
            Workload each = run.workloads().get(i);
            double[] times = times(i);
            double[] slow = slowdowns(i);
            json.writeStartObject();
            json.writeStringField("name", each.name());
            json.writeStringField("protocol", SimFlags.word(each.protocol()));
            json.writeNumberField("class", each.flows().getFirst().level());
            json.writeNumberField("flows", each.flows().size());
            json.writeNumberField("flows_done", times.length);
            if (times.length > 0) {
                json.writeNumberField("t_50", at(times, 50));
                json.writeNumberField("t_max", at(times, 100));
            }
            json.writeNumberField("bytes_delivered", run.deliveredBytes(i));
            if (each.protocol() == Workload.Protocol.TCP) {
                json.writeNumberField("retransmitted", run.retransmitted(i));
            }
            json.writeNumberField("BW_average", gbits(i));
            if (slow.length > 0) {
                json.writeNumberField("slowdown_50", at(slow, 50));
                json.writeNumberField("slowdown_max", at(slow, 100));
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
