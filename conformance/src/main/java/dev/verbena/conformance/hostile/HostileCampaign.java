package dev.verbena.conformance.hostile;

import dev.verbena.testkit.OpenFiles;
import dev.verbena.testkit.Seed;
import dev.verbena.verbs.Device;
import java.io.IOException;
import java.util.List;
import java.util.Set;
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
    private Rules rules;
    private final IntFunction<Device> opener;
    private final Tally tally = new Tally();
    private final AtomicReference<@Nullable Throwable> uncaught = new AtomicReference<>();
    private int episodes;
    private int leastEpisodes;

    private HostileCampaign(String name, Rules rules, IntFunction<Device> opener) {
        this.name = name;
        this.rules = rules;
        this.opener = opener;
    }

    /// Programs of several threads.
    ///
    /// @param opener opens the first or the second device of an episode
    public static HostileCampaign ofThreads(String name, IntFunction<Device> opener) {
        return new HostileCampaign(name, new Rules(false, false, Set.of()), opener);
    }

    /// Programs of one thread, for devices that belong to one.
    ///
    /// @param opener opens the first or the second device of an episode
    public static HostileCampaign ofOneThread(String name, IntFunction<Device> opener) {
        return new HostileCampaign(name, new Rules(true, false, Set.of()), opener);
    }

    /// Programs of several threads, for devices that read and write memory by its address, as a NIC
    /// does: regions are closed under work, but arenas are not.
    ///
    /// @param opener opens the first or the second device of an episode
    public static HostileCampaign ofNic(String name, IntFunction<Device> opener) {
        return new HostileCampaign(name, new Rules(false, true, Set.of()), opener);
    }

    /// No files are cut short under a mapping: for a driver in Java, which touches memory by its
    /// address where a NIC holds the pages themselves.
    public HostileCampaign withoutFiles() {
        rules = new Rules(rules.isOneThread(), rules.holdsArenas(), Set.of(Act.CUT_FILE));
        return this;
    }

    /// Goes on until so many episodes are over, however long it takes.
    public HostileCampaign atLeast(int count) {
        leastEpisodes = count;
        return this;
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
        if (!missing().isEmpty()) {
            throw new AssertionError(name + ": never done: " + missing());
        }
    }

    private boolean goesOn(long pastNs, long lengthNs) {
        return episodes < leastEpisodes
                || pastNs < (missing().isEmpty() ? 1 : MOST_TIMES) * lengthNs;
    }

    private List<Act> missing() {
        return tally.missing().stream().filter(it -> !rules.leftOut().contains(it)).toList();
    }

    private void runOne(long seed) throws InterruptedException {
        try {
            new Episode(tally, ACTS, rules).run(opener, new SplittableRandom(seed));
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
