package dev.verbena.cli;

import dev.verbena.job.replay.Replay;
import java.io.PrintWriter;
import java.util.Locale;

/// Runs a replay in slices of time, and reports the progress on a terminal.
final class ReplayLoop {
    private static final long FIRST_SLICE_PS = 5_000_000;
    private static final long PROGRESS_NS = 500_000_000L;

    private final PrintWriter err;
    private final long limitPs;

    ReplayLoop(PrintWriter err, long limitPs) {
        this.err = err;
        this.limitPs = limitPs;
    }

    void run(Replay replay) {
        if (!SimLoop.isWatched()) {
            replay.run(limitPs);
            return;
        }
        long nodes = replay.left();
        long toldNs = System.nanoTime();
        boolean isTold = false;
        // A calculation may take days: slices without an event grow.
        long slicePs = FIRST_SLICE_PS;
        long untilPs = 0;
        while (!replay.isOver() && replay.problem().isEmpty() && untilPs < limitPs) {
            untilPs = Math.min(limitPs, Math.max(untilPs, replay.fabric().nowPs()) + slicePs);
            long events = replay.fabric().events();
            replay.run(untilPs);
            slicePs = replay.fabric().events() == events ? slicePs * 2 : FIRST_SLICE_PS;
            if (System.nanoTime() - toldNs > PROGRESS_NS) {
                toldNs = System.nanoTime();
                isTold = true;
                err.printf(
                        Locale.ROOT,
                        "\r%,.0f us simulated, %,d of %,d nodes over, %,d M events",
                        replay.fabric().nowPs() / 1e6,
                        nodes - replay.left(),
                        nodes,
                        replay.fabric().events() / 1_000_000);
                err.flush();
            }
        }
        if (isTold) {
            err.print("\r" + " ".repeat(78) + "\r");
            err.flush();
        }
    }
}
