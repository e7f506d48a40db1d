package dev.verbena.testkit.hostile;

import dev.verbena.testkit.OpenFiles;
import dev.verbena.testkit.Seed;
import dev.verbena.verbs.Device;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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
    private static final int MOST_TIMES = 20;

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

    /// Runs for so many seconds times `-Dcampaign`, with new seeds or from `-Dseed` on, and prints
    /// the table of what was done. A slow machine gets more time, until each of the actions was
    /// carried out once; fails when one was not in twenty times the time.
    public void run(long seconds) throws InterruptedException, IOException {
        long seed = Seed.forTest(name, System.nanoTime()).value();
        long startNs = System.nanoTime();
        long lengthNs = TimeUnit.SECONDS.toNanos(Seed.campaign(seconds));
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((_, thrown) -> caught(thrown));
        int files = OpenFiles.count();
        try {
            do {
                runOne(seed + episodes);
                episodes++;
                if (episodes % FILES_EVERY == 0 && OpenFiles.count() > files + SLACK_FILES) {
                    throw new AssertionError(
                            "%s: %d files open, %d before"
                                    .formatted(name, OpenFiles.count(), files));
                }
            } while (goesOn(System.nanoTime() - startNs, lengthNs));
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        long past = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
        String title = "%s: %,d episodes, %,d s".formatted(name, episodes, past);
        System.out.printf("%s%n%s%n", title, tally);
        HostileReport.write(name, title, tally.toString());
        if (!tally.missing().isEmpty()) {
            throw new AssertionError(name + ": never done: " + tally.missing());
        }
    }

    private boolean goesOn(long pastNs, long lengthNs) {
        return pastNs < (tally.missing().isEmpty() ? 1 : MOST_TIMES) * lengthNs;
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
}
