package dev.verbena.scenario.run;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.PortCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What a run did over time: bytes that arrived by workload, and what each port did.
///
/// It keeps a limited number of moments. When there are more, every other one is forgotten, and the
/// steps become twice as long.
public final class Moments {
    private static final long FIRST_STEP_PS = 500_000;

    /// Counted up to a time.
    private static final class Moment {
        final long timePs;

        /// By workload.
        final long[] bytes;

        /// By port, as all below.
        final long[] busyPs;

        /// Time in which it was paused or had no credit.
        final long[] heldPs;

        /// Packets that were lost or dropped there.
        final long[] errors;

        /// Bytes that wait or, where a run reads watermarks, the most since.
        final long[] queued;

        Moment(long timePs, long[] bytes, long[] busyPs, long[] queued) {
            this.timePs = timePs;
            this.bytes = bytes;
            this.busyPs = busyPs;
            this.queued = queued;
            heldPs = new long[busyPs.length];
            errors = new long[busyPs.length];
        }
    }

    private final long originPs;
    private final int most;
    private final boolean takesPeaks;
    private final List<Moment> moments = new ArrayList<>();
    private long stepPs = FIRST_STEP_PS;

    /// @param takesPeaks whether the watermarks of queues may be read, which empties them
    Moments(Fabric fabric, int most, boolean takesPeaks) {
        this.most = most;
        this.takesPeaks = takesPeaks;
        originPs = fabric.nowPs();
    }

    /// How long to simulate until the next moment.
    long stepPs() {
        return stepPs;
    }

    /// Remembers the present, unless it is too soon. The fabric is not kept: a result is shown long
    /// after its run.
    void look(Fabric fabric, long[] deliveredBytes, boolean isLast) {
        long nowPs = fabric.nowPs();
        long lastPs = moments.isEmpty() ? -1 : moments.getLast().timePs;
        if (nowPs == lastPs || (!isLast && lastPs >= 0 && nowPs < lastPs + stepPs)) {
            return;
        }
        List<PortCounts> ports = fabric.ports();
        int count = ports.size();
        long[] queued = takesPeaks ? fabric.takeQueuePeaks() : new long[count];
        Moment made = new Moment(nowPs, deliveredBytes, fabric.busyPs(), queued);
        double tickPs = 32e12 / fabric.settings().cable().rate().bitsPerSecond();
        for (int i = 0; i < count; i++) {
            PortCounts port = ports.get(i);
            made.heldPs[i] = heldPs(port, tickPs);
            made.errors[i] = errors(port.counts());
            made.queued[i] = Math.max(made.queued[i], port.queuedBytes());
        }
        moments.add(made);
        if (moments.size() > most) {
            halve();
        }
    }

    private void halve() {
        for (int i = moments.size() - 2; i > 0; i -= 2) {
            Moment left = moments.remove(i);
            long[] next = moments.get(i).queued;
            for (int port = 0; port < next.length; port++) {
                next[port] = Math.max(next[port], left.queued[port]);
            }
        }
        stepPs *= 2;
    }

    /// Ticks of PortXmitWait are the time of four bytes.
    static long heldPs(PortCounts port, double tickPs) {
        long ticks = port.counts().getOrDefault("PortXmitWait", 0L);
        return port.pausedPs() + Math.round(ticks * tickPs);
    }

    static long errors(Map<String, Long> counts) {
        long sum = 0;
        for (Map.Entry<String, Long> each : counts.entrySet()) {
            String name = each.getKey();
            boolean isError =
                    name.equals("rx_crc_errors_phy")
                            || name.equals("PortRcvErrors")
                            || name.endsWith("_discards")
                            || name.equals("link_down_events_phy")
                            || name.equals("LinkDownedCounter");
            sum += isError ? each.getValue() : 0;
        }
        return sum;
    }

    /// Steps between the moments.
    public int steps() {
        return Math.max(0, moments.size() - 1);
    }

    /// End of a step, from the start of the run.
    public double endUs(int step) {
        return (moments.get(step + 1).timePs - originPs) / 1e6;
    }

    private long tookPs(int step) {
        return moments.get(step + 1).timePs - moments.get(step).timePs;
    }

    /// Rate at which the bytes of a workload arrived, in Gb/s.
    public double gbits(int workload, int step) {
        long[] before = moments.get(step).bytes;
        long[] after = moments.get(step + 1).bytes;
        return (after[workload] - before[workload]) * 8e3 / tookPs(step);
    }

    /// Share of a step in which a port was sending; a packet counts for the step in which it began.
    public double busy(int port, int step) {
        long busyPs = moments.get(step + 1).busyPs[port] - moments.get(step).busyPs[port];
        return Math.clamp((double) busyPs / tookPs(step), 0, 1);
    }

    /// Share of a step in which a port was paused, or had no credit.
    public double held(int port, int step) {
        long heldPs = moments.get(step + 1).heldPs[port] - moments.get(step).heldPs[port];
        return Math.clamp((double) heldPs / tookPs(step), 0, 1);
    }

    /// Packets that were lost or dropped at a port in a step.
    public long errors(int port, int step) {
        return moments.get(step + 1).errors[port] - moments.get(step).errors[port];
    }

    /// Bytes that waited at a port in a step.
    public long queued(int port, int step) {
        return moments.get(step + 1).queued[port];
    }

    /// Share of the whole run in which a port was sending.
    public double busy(int port) {
        return share(moments.getLast().busyPs[port] - moments.getFirst().busyPs[port]);
    }

    /// Share of the whole run in which a port was paused, or had no credit.
    public double held(int port) {
        return share(moments.getLast().heldPs[port] - moments.getFirst().heldPs[port]);
    }

    /// Packets that were lost or dropped at a port in the whole run.
    public long errors(int port) {
        return moments.getLast().errors[port] - moments.getFirst().errors[port];
    }

    /// The most bytes that waited at a port.
    public long queued(int port) {
        return moments.stream().mapToLong(it -> it.queued[port]).max().orElse(0);
    }

    private double share(long ps) {
        long whole = moments.getLast().timePs - moments.getFirst().timePs;
        return whole == 0 ? 0 : Math.clamp((double) ps / whole, 0, 1);
    }

    /// Ports, numbered as in [Fabric#ports].
    public int ports() {
        return moments.isEmpty() ? 0 : moments.getFirst().busyPs.length;
    }
}
