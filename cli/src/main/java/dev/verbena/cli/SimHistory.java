package dev.verbena.cli;

import dev.verbena.fabric.MixRun;
import java.util.ArrayList;
import java.util.List;

/// What a simulation did over time: bytes that arrived by workload, and how busy each port was.
///
/// It keeps a limited number of moments. When there are more, every other one is forgotten, and the
/// steps become twice as long.
final class SimHistory {
    private static final int MOMENTS = 128;
    private static final int LEAST_MOMENTS = 16;

    /// Values that are kept in all.
    private static final int VALUES = 1 << 23;

    private static final long FIRST_STEP_PS = 500_000;

    /// What was counted up to a time.
    private static final class Moment {
        final long timePs;

        /// By workload, and by port.
        final long[] bytes;

        final long[] busyPs;

        Moment(long timePs, long[] bytes, long[] busyPs) {
            this.timePs = timePs;
            this.bytes = bytes;
            this.busyPs = busyPs;
        }
    }

    private final MixRun run;
    private final int most;
    private final List<Moment> moments = new ArrayList<>();
    private long stepPs = FIRST_STEP_PS;

    SimHistory(MixRun run) {
        this.run = run;
        int ports = 2 * run.fabric().topology().cables();
        most = Math.clamp(VALUES / ports, LEAST_MOMENTS, MOMENTS);
        look();
    }

    /// How long to simulate until the next moment.
    long stepPs() {
        return stepPs;
    }

    /// Remembers the present.
    void look() {
        long nowPs = run.fabric().nowPs();
        if (!moments.isEmpty() && nowPs < moments.getLast().timePs + stepPs) {
            return;
        }
        add(nowPs);
        if (moments.size() > most) {
            for (int i = moments.size() - 2; i > 0; i -= 2) {
                moments.remove(i);
            }
            stepPs *= 2;
        }
    }

    /// Remembers the end.
    void end() {
        if (run.fabric().nowPs() > moments.getLast().timePs) {
            add(run.fabric().nowPs());
        }
    }

    private void add(long nowPs) {
        long[] bytes = new long[run.workloads().size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = run.deliveredBytes(i);
        }
        moments.add(new Moment(nowPs, bytes, run.fabric().busyPs()));
    }

    /// Steps that are known.
    int steps() {
        return moments.size() - 1;
    }

    long endPs(int step) {
        return moments.get(step + 1).timePs;
    }

    long startPs(int step) {
        return moments.get(step).timePs;
    }

    /// Rate at which the bytes of a workload arrived in a step, in Gb/s.
    double gbits(int workload, int step) {
        long bytes = moments.get(step + 1).bytes[workload] - moments.get(step).bytes[workload];
        return bytes * 8e3 / (endPs(step) - startPs(step));
    }

    /// Share of a step in which a port was sending; a packet counts for the step in which it began.
    double busy(int port, int step) {
        long busyPs = moments.get(step + 1).busyPs[port] - moments.get(step).busyPs[port];
        return Math.min(1, (double) busyPs / (endPs(step) - startPs(step)));
    }
}
