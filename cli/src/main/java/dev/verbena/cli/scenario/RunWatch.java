package dev.verbena.cli.scenario;

import dev.verbena.scenario.run.Watcher;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Says on a terminal how far a run is and how long it still takes, and ends it at Ctrl-C.
///
/// At Ctrl-C the Java virtual machine calls shutdown hooks and ends when they return. Ours lets the
/// run end, and waits until the results are written.
final class RunWatch implements Watcher, AutoCloseable {
    private static final long EVERY_NS = 500_000_000L;
    private static final long FIRST_NS = 2_000_000_000L;
    private static final long WRITES_SECONDS = 60;
    private static final double SHARE_LEAST = 0.01;
    private static final int COLUMNS = 78;

    private final PrintWriter err;
    private final boolean isWatched;
    private final long beganNs = System.nanoTime();
    private final CountDownLatch written = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupted, "ctrl-c");
    private long toldNs = beganNs;
    private long partNs = beganNs;
    private String part = "";
    private boolean isTold;
    private volatile boolean isEnding;

    RunWatch(PrintWriter err) {
        this.err = err;
        isWatched = Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void interrupted() {
        isEnding = true;
        try {
            boolean isDone = written.await(WRITES_SECONDS, TimeUnit.SECONDS);
            assert isDone || isEnding;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean goOn(String what, double share) {
        long nowNs = System.nanoTime();
        if (!what.equals(part)) {
            part = what;
            partNs = nowNs;
        }
        if (isWatched && nowNs - beganNs > FIRST_NS && nowNs - toldNs > EVERY_NS) {
            toldNs = nowNs;
            tell(what, share, (nowNs - partNs) / 1e9);
        }
        return !isEnding;
    }

    private void tell(String what, double share, double seconds) {
        isTold = true;
        String left =
                share < SHARE_LEAST
                        ? ""
                        : String.format(
                                Locale.ROOT, ", about %.0f s left", seconds / share - seconds);
        String line = String.format(Locale.ROOT, "%s%.0f %% done%s", what, 100 * share, left);
        err.print("\r" + line + " ".repeat(Math.max(0, COLUMNS - line.length())));
        err.flush();
    }

    /// Makes room for the results.
    void clear() {
        if (isTold) {
            err.print("\r" + " ".repeat(COLUMNS) + "\r");
            err.flush();
        }
    }

    /// The results are written.
    @Override
    public void close() {
        written.countDown();
        if (!isEnding) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException ending) {
                isEnding = true;
            }
        }
    }
}
