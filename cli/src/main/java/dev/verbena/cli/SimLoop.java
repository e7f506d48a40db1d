package dev.verbena.cli;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.MixRun;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Runs a simulation in slices of time, and reports the progress on a terminal.
final class SimLoop {
    private static final long SLICE_PS = 5_000_000;
    private static final long PROGRESS_NS = 500_000_000L;

    /// Called after each slice.
    interface Watcher {
        void look() throws IOException;
    }

    private final PrintWriter err;
    private final long limitPs;
    private long toldNs = System.nanoTime();
    private boolean isTold;

    SimLoop(PrintWriter err, long limitPs) {
        this.err = err;
        this.limitPs = limitPs;
    }

    /// Whether the output is a terminal.
    static boolean isWatched() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    void run(MixRun run, String what) throws IOException {
        run(run, what, () -> SLICE_PS, () -> {});
    }

    /// @param what the words before the progress, or none
    /// @param slicePs time of the next slice
    void run(MixRun run, String what, LongSupplier slicePs, Watcher watcher) throws IOException {
        Fabric fabric = run.fabric();
        long untilPs = fabric.nowPs();
        while (run.pending() > 0
                && untilPs < limitPs
                && !fabric.isIdle()
                && run.deadlock().isEmpty()) {
            untilPs = Math.min(limitPs, untilPs + slicePs.getAsLong());
            run.run(untilPs);
            boolean isOver = run.deadlock().isPresent() || run.pending() == 0;
            if (!isOver && !fabric.isIdle()) {
                fabric.run(untilPs); // no event is left before: only the clock moves
            }
            watcher.look();
            if (isWatched() && System.nanoTime() - toldNs > PROGRESS_NS) {
                tell(run, what);
            }
        }
        if (isTold) {
            err.print("\r" + " ".repeat(78) + "\r");
            err.flush();
        }
    }

    private void tell(MixRun run, String what) {
        toldNs = System.nanoTime();
        isTold = true;
        int flows = run.workloads().stream().mapToInt(it -> it.flows().size()).sum();
        err.printf(
                Locale.ROOT,
                "\r%s%,.0f us simulated, %,d of %,d flows over, %,d M events",
                what,
                run.fabric().nowPs() / 1e6,
                flows - run.pending(),
                flows,
                run.fabric().events() / 1_000_000);
        err.flush();
    }
}
