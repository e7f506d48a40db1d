package dev.verbena.testkit.hostile;

import dev.verbena.verbs.Device;
import java.io.File;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Episodes of hostile programs, one after another, until the time is over.
///
/// The JVM lives, no thread hangs, no byte that was never registered arrives, foreign memory stays
/// as it is, every request ends once, nothing but a [dev.verbena.verbs.VerbsException] is thrown,
/// and files come back. The seed of a failed episode is in its message; threads run as they like,
/// so that it may take a few tries to see the failure again.
public final class HostileCampaign {
    private static final int ACTS = 50;
    private static final int SLACK_FILES = 64;
    private static final int FILES_EVERY = 500;

    private final String name;
    private final boolean isOneThread;
    private final IntFunction<Device> opener;
    private final Tally tally = new Tally();
    private final AtomicReference<@Nullable Throwable> uncaught = new AtomicReference<>();
    private int episodes;

    private HostileCampaign(String name, boolean isOneThread, IntFunction<Device> opener) {
        this.name = name;
        this.isOneThread = isOneThread;
        this.opener = opener;
    }

    /// Programs of several threads.
    ///
    /// @param opener opens the first or the second device of an episode
    public static HostileCampaign ofThreads(String name, IntFunction<Device> opener) {
        return new HostileCampaign(name, false, opener);
    }

    /// Programs of one thread, for devices that belong to one.
    ///
    /// @param opener opens the first or the second device of an episode
    public static HostileCampaign ofOneThread(String name, IntFunction<Device> opener) {
        return new HostileCampaign(name, true, opener);
    }

    /// Runs for so long, and at least one episode; returns the table of what was done.
    public String run(long seed, Duration time) throws InterruptedException {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((_, thrown) -> caught(thrown));
        int files = files();
        long endNs = System.nanoTime() + time.toNanos();
        try {
            do {
                runOne(seed + episodes);
                episodes++;
                if (episodes % FILES_EVERY == 0 && files() > files + SLACK_FILES) {
                    throw new AssertionError(
                            "%s: %d files open, %d before".formatted(name, files(), files));
                }
            } while (System.nanoTime() - endNs < 0);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        return "%s: %,d episodes from seed %d%n%s".formatted(name, episodes, seed, tally);
    }

    /// Fails when one of the actions was never carried out.
    public void requireAllReached() {
        if (!tally.missing().isEmpty()) {
            throw new AssertionError(name + ": never done: " + tally.missing());
        }
    }

    public int episodes() {
        return episodes;
    }

    private void runOne(long seed) throws InterruptedException {
        try {
            new Episode(tally, ACTS, isOneThread).run(opener, new SplittableRandom(seed));
        } catch (RuntimeException | Error fault) {
            throw new AssertionError(name + ", seed " + seed + ": " + fault, fault);
        }
        Throwable thrown = uncaught.get();
        if (thrown != null) {
            throw new AssertionError(name + ", seed " + seed + ": a thread ended", thrown);
        }
    }

    /// What listeners throw goes here, by the rules.
    private void caught(Throwable thrown) {
        if (!(thrown instanceof Worker.Thrown)) {
            uncaught.compareAndSet(null, thrown);
        }
    }

    private static int files() {
        String[] all = new File("/proc/self/fd").list();
        return all == null ? 0 : all.length;
    }
}
