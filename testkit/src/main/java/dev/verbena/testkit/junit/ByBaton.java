package dev.verbena.testkit.junit;

import dev.verbena.verbs.baton.BatonFailure;
import dev.verbena.verbs.baton.BatonScheduler;
import dev.verbena.verbs.baton.Runner;
import dev.verbena.verbs.baton.Stopped;
import dev.verbena.verbs.baton.Words;
import dev.verbena.verbs.spi.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Threads that pass a baton on a network in virtual time, the test's own among them.
final class ByBaton implements ThreadOrder {
    private static final Words WORDS =
            new Words(
                    "@RdmaTest",
                    "thread",
                    "start it with RdmaThreads, a parameter of the test",
                    "block nowhere else (a lock, a queue, Thread.join, Thread.sleep): wait with"
                            + " RdmaThreads.join, advance or awaitUntil, or raise the limit with"
                            + " RdmaThreads.patience",
                    "RdmaThreads.virtualLimit");

    /// The real time that threads have to end when they must.
    private static final Duration STOP_LIMIT = Duration.ofSeconds(1);

    /// The network and the test's choices have the seed itself.
    private static final long SEED_OF_ORDER = 0x6F72_6465_7265_6421L;

    private final VirtualTime time;
    private final BatonScheduler scheduler;
    private final Runner test = new Runner(Thread.currentThread().getName());
    private final Thread watcher;
    private final CountDownLatch finished = new CountDownLatch(1);

    /// Gives the baton to this thread.
    ByBaton(VirtualTime time, long seed, Duration patience, Duration virtualLimit) {
        this.time = time;
        scheduler = new BatonScheduler(time, seed ^ SEED_OF_ORDER, virtualLimit, WORDS);
        time.pass(scheduler);
        scheduler.beginWith(test);
        watcher =
                Thread.ofPlatform()
                        .daemon()
                        .name("rdma-test watch")
                        .unstarted(() -> watch(patience));
        watcher.start();
    }

    /// A thread that cannot be interrupted may keep the test from its end, and so from its report.
    private void watch(Duration patience) {
        if (scheduler.watch(patience)) {
            return;
        }
        try {
            BatonFailure failure = scheduler.failure();
            if (!finished.await(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS) && failure != null) {
                failure.printStackTrace();
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void starts(Member member) {
        scheduler.add(member.runner);
    }

    @Override
    public void run(Member member) {
        @Nullable Throwable thrown = null;
        try {
            scheduler.start(member.runner);
            member.body.run();
        } catch (Stopped stopped) {
            // The test has ended, or another thread has failed.
        } catch (Throwable failure) {
            thrown = failure;
        }
        scheduler.ended(member.runner, thrown);
    }

    @Override
    public boolean join(Member member, Duration limit) {
        return scheduler.awaitEnd(limit, member.runner::hasEnded);
    }

    @Override
    public @Nullable Throwable finish(List<Member> members, @Nullable Throwable thrown) {
        finished.countDown();
        @Nullable Throwable failure = thrown;
        if (failure == null) {
            failure = joinAll(members);
        }
        BatonFailure before = scheduler.failure();
        scheduler.ended(test, failure);
        awaitWatcher(members);
        time.pass(null);
        return before == null ? failure : explained(before, failure);
    }

    /// Waits for the threads and ends those that are daemons; returns why that is not possible.
    private @Nullable Throwable joinAll(List<Member> members) {
        try {
            for (Member member : members) {
                if (!member.isDaemon() && !join(member, RdmaGroup.LIMIT)) {
                    return RdmaThreads.unended(
                            member,
                            ("thread %s still runs %s after the test's end: let it end, or make it"
                                            + " a daemon with setDaemon(true) before it starts")
                                    .formatted(member.getName(), RdmaGroup.text(RdmaGroup.LIMIT)));
                }
            }
            for (Member member : members) {
                if (!member.runner.hasEnded()) {
                    scheduler.cancel(member.runner);
                    if (!join(member, RdmaGroup.LIMIT)) {
                        return RdmaThreads.unended(
                                member,
                                "daemon %s goes on after it was stopped: let it catch no Error"
                                        .formatted(member.getName()));
                    }
                }
            }
            return null;
        } catch (Stopped | RuntimeException failure) {
            return failure;
        }
    }

    /// The watching thread ends after all others, or when one of them is blocked for good.
    private void awaitWatcher(List<Member> members) {
        // Giving up interrupts the thread that is blocked, which may be this one.
        boolean wasInterrupted = Thread.interrupted();
        try {
            watcher.join(STOP_LIMIT);
            for (Member member : members) {
                if (scheduler.isAbandoned()) {
                    member.join(STOP_LIMIT);
                }
            }
        } catch (InterruptedException interrupt) {
            wasInterrupted = true;
        }
        if (wasInterrupted && !scheduler.isAbandoned()) {
            Thread.currentThread().interrupt();
        }
    }

    /// The same as an error of a test, in the same place.
    private static AssertionError explained(BatonFailure why, @Nullable Throwable thrown) {
        AssertionError failure = new AssertionError(why.getMessage(), why.getCause());
        failure.setStackTrace(why.getStackTrace());
        for (Throwable waiting : why.getSuppressed()) {
            failure.addSuppressed(waiting);
        }
        if (thrown != null && !(thrown instanceof Stopped)) {
            failure.addSuppressed(thrown);
        }
        return failure;
    }
}
