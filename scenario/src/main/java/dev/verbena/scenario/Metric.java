package dev.verbena.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What a run can be measured by, and asserted.
public enum Metric {
    P50(Of.WORK, Unit.US, "half of the messages, operations or steps took this or less"),
    P90(Of.WORK, Unit.US, "nine of ten took this or less"),
    P99(Of.WORK, Unit.US, "99 of 100 took this or less"),
    P999(Of.WORK, Unit.US, "999 of 1,000 took this or less"),
    MIN(Of.WORK, Unit.US, "the shortest"),
    MAX(Of.WORK, Unit.US, "the longest"),
    GOODPUT(Of.WORK, Unit.GBITS, "bytes delivered by time, in Gb/s"),
    SLOWDOWN(Of.WORK, Unit.FACTOR, "the longest beside that of the run without faults"),
    SLOWDOWN_P50(Of.WORK, Unit.FACTOR, "p50 beside that of the run without faults"),
    COMPLETED(Of.WORK, Unit.PERCENT, "messages, operations or steps that are over"),
    FAILED(Of.WORK, Unit.COUNT, "flows whose queue pair gave up"),
    BUSBW(Of.JOB, Unit.GBYTES, "bus bandwidth of the last operation as in nccl-tests, in GB/s"),
    STEP_TIME(Of.JOB, Unit.US, "a training step on average"),
    LOST_TIME(Of.JOB, Unit.US, "time of all steps or operations beyond that without faults"),
    EXPOSED(Of.JOB, Unit.PERCENT, "share of a training step in which GPUs wait for the network"),
    SPAN(Of.ALL, Unit.US, "from the first start to the last end"),
    BISECTION(Of.ALL, Unit.PERCENT, "goodput by what the NICs of all senders could send"),
    DROPS(Of.ALL, Unit.COUNT, "packets that switches dropped"),
    LOST(Of.ALL, Unit.COUNT, "packets that cables lost"),
    PAUSES(Of.ALL, Unit.COUNT, "pause frames"),
    PAUSED(Of.ALL, Unit.US, "how long the longest paused port waited"),
    PAUSED_SHARE(Of.ALL, Unit.PERCENT, "the same as a share of the run"),
    CREDIT_WAIT(Of.ALL, Unit.PERCENT, "the longest wait of a port for credits, as a share"),
    MARKED(Of.ALL, Unit.PERCENT, "packets that switches marked by ECN, of those sent"),
    CNPS(Of.ALL, Unit.COUNT, "congestion notification packets"),
    RETRANSMITS(Of.ALL, Unit.COUNT, "request packets that were sent again"),
    TIMEOUTS(Of.ALL, Unit.COUNT, "waits for an acknowledgement that ran out"),
    PEAK_QUEUE(Of.ALL, Unit.BYTES, "fullest buffer of one priority or lane of a port"),
    BUSIEST(Of.ALL, Unit.PERCENT, "load of the busiest link"),
    IMBALANCE(Of.ALL, Unit.FACTOR, "load of the busiest uplink by that of its switch's mean"),
    DEADLOCKS(Of.ALL, Unit.COUNT, "1 where ports wait for each other in a circle"),
    CULPRIT(Of.ALL, Unit.TEXT, "the rank, cable or switch that the verdict names");

    /// What has it.
    public enum Of {
        /// Each workload, and all flows together.
        WORK,
        /// A collective or a training loop.
        JOB,
        /// The run as a whole.
        ALL
    }

    /// In what it is measured.
    public enum Unit {
        US("us"),
        GBITS("Gb/s"),
        GBYTES("GB/s"),
        PERCENT("%"),
        COUNT(""),
        BYTES("bytes"),
        FACTOR("x"),
        TEXT("");

        private final String text;

        Unit(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    private final Of of;
    private final Unit unit;
    private final String meaning;

    Metric(Of of, Unit unit, String meaning) {
        this.of = of;
        this.unit = unit;
        this.meaning = meaning;
    }

    public Of of() {
        return of;
    }

    public Unit unit() {
        return unit;
    }

    public String meaning() {
        return meaning;
    }

    public static Optional<Metric> named(String word) {
        return Arrays.stream(values()).filter(it -> it.toString().equals(word)).findFirst();
    }

    public static List<String> names() {
        return Arrays.stream(values()).map(Metric::toString).toList();
    }

    /// As it is written in a scenario.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
