package dev.verbena.verbs.baton;

import dev.verbena.verbs.WrongStateException;
import dev.verbena.verbs.baton.BatonFailure.Reason;
import dev.verbena.verbs.baton.Runner.State;
import dev.verbena.verbs.spi.Baton;
import dev.verbena.verbs.spi.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Decides which thread runs. All of it belongs to the thread that has the baton, unless a field
/// says otherwise.
///
/// ```text
///            await, polled                rouse, deadline
///   READY ──────────────────▶ WAITING ──────────────────▶ READY
///     │ one of them has the baton: chosen by seed
///     └──▶ ENDED
/// ```
///
/// The thread that gives the baton away chooses the next one. If none is ready, it moves the
/// network's time until one is. It starts no thread.
public final class BatonScheduler implements Baton {
    /// What a poll takes that finds nothing.
    private static final long POLL_NS = 100;

    /// Waiting threads that a failure shows.
    private static final int SHOWN_MAX = 16;

    /// When a wait ends at the latest.
    private record Deadline(long atNs, Runner runner, long number) implements Comparable<Deadline> {
        @Override
        public int compareTo(Deadline other) {
            int byTime = Long.compare(atNs, other.atNs);
            return byTime != 0 ? byTime : Integer.compare(runner.number, other.runner.number);
        }
    }

    private final VirtualTime time;
    private final Words words;
    private final SplittableRandom random;
    private final long endNs;
    private final List<Runner> runners = new ArrayList<>();
    private final Map<Thread, Runner> byThread = new HashMap<>();
    private final List<Runner> ready = new ArrayList<>();
    private final PriorityQueue<Deadline> deadlines = new PriorityQueue<>();

    /// Those that wait for the end of others.
    private final List<Runner> joiners = new ArrayList<>();

    private final CountDownLatch done = new CountDownLatch(1);
    private int alive;

    /// Read by the watching thread.
    private volatile @Nullable Runner holder;

    private final LongAdder switches = new LongAdder();

    /// Calls that wait, whether or not the baton changed hands.
    private final LongAdder waits = new LongAdder();

    private volatile boolean isAdvancing;
    private volatile boolean isStopping;
    private volatile boolean isAbandoned;
    private volatile @Nullable BatonFailure failure;

    /// @param seed decides which of the threads that could run does
    /// @param end the virtual time that all of it may take
    public BatonScheduler(VirtualTime time, long seed, Duration end, Words words) {
        this.time = time;
        this.words = words;
        random = new SplittableRandom(seed);
        endNs = after(end);
    }

    /// Adds a thread: before any of them runs, or by the one that has the baton.
    public void add(Runner runner) {
        if (holder != null) {
            self();
        }
        enlist(runner);
        ready.add(runner);
    }

    private void enlist(Runner runner) {
        runner.number = runners.size();
        runners.add(runner);
        byThread.put(runner.thread(), runner);
        alive++;
    }

    /// Gives the baton to the first thread; called once, when all threads have been started.
    public void begin() {
        hand(choose());
    }

    /// Gives the baton to this thread, which is the first one; called once, instead of [#begin].
    public void beginWith(Runner runner) {
        runner.thread(Thread.currentThread());
        enlist(runner);
        holder = runner;
        switches.increment();
    }

    public long nowNs() {
        return time.nowNs();
    }

    /// How often the baton was given on.
    public long switches() {
        return switches.sum();
    }

    public @Nullable BatonFailure failure() {
        return failure;
    }

    /// Waits for the baton for the first time; called by a thread that was added.
    public void start(Runner runner) {
        runner.baton.acquireUninterruptibly();
        requireGoing(runner);
    }

    @Override
    public void require() {
        self();
    }

    /// The runner of this thread, which has the baton.
    private Runner self() {
        if (isStopping) {
            throw new Stopped();
        }
        Runner now = holder;
        if (now == null || !Thread.currentThread().equals(now.thread())) {
            throw foreign(now);
        }
        return now;
    }

    private WrongStateException foreign(@Nullable Runner now) {
        Thread self = Thread.currentThread();
        String called = self.getName().isEmpty() ? self.toString() : self.getName();
        return new WrongStateException(
                words.whole(),
                "thread %s calls a device, and %s %s runs"
                        .formatted(
                                called,
                                now == null ? "no" : words.part(),
                                now == null ? words.part() : now.name),
                words.start());
    }

    @Override
    public void await(long deadlineNs, BooleanSupplier isOver) {
        Runner self = self();
        if (isAdvancing) {
            throw new WrongStateException(
                    words.whole(),
                    "a listener waits, and the time stands still until it returns",
                    "wait in the program, not in its listeners");
        }
        waits.increment();
        long nowNs = nowNs();
        self.sinceNs = nowNs;
        self.deadlineNs = deadlineNs;
        self.isOver = isOver;
        self.wait++;
        self.state = State.WAITING;
        if (deadlineNs <= nowNs) {
            ready(self);
        } else if (deadlineNs != Long.MAX_VALUE) {
            deadlines.add(new Deadline(deadlineNs, self, self.wait));
        }
        Runner next = choose();
        if (next != self) {
            hand(next);
            self.baton.acquireUninterruptibly();
        }
        requireGoing(self);
    }

    @Override
    public void polled() {
        if (!isAdvancing) {
            await(nowNs() + POLL_NS, () -> false);
        }
    }

    /// Lets virtual time pass.
    public void sleep(Duration length) {
        await(after(length), () -> false);
    }

    /// The time after a while; a time that no number has is the last that one has.
    private long after(Duration length) {
        if (length.isNegative()) {
            return nowNs();
        }
        boolean isLong = length.compareTo(Duration.ofNanos(Long.MAX_VALUE - 1 - nowNs())) > 0;
        return isLong ? Long.MAX_VALUE - 1 : nowNs() + length.toNanos();
    }

    /// Waits until something is so that the end of a thread decides, at most for so long; returns
    /// whether it is.
    public boolean awaitEnd(Duration limit, BooleanSupplier isOver) {
        Runner self = self();
        if (!isOver.getAsBoolean()) {
            joiners.add(self);
            try {
                await(after(limit), isOver);
            } finally {
                joiners.remove(self);
            }
        }
        return isOver.getAsBoolean();
    }

    /// Ends a thread where it waits, or where it waits next; it may use devices to tidy up.
    public void cancel(Runner runner) {
        self();
        runner.isCancelled = true;
        if (runner.state == State.WAITING) {
            ready(runner);
        }
    }

    @Override
    public void rouse(Thread waiter) {
        Runner runner = byThread.get(waiter);
        if (runner != null && runner.state == State.WAITING) {
            ready(runner);
        }
    }

    private void ready(Runner runner) {
        runner.state = State.READY;
        ready.add(runner);
    }

    /// A thread has ended; it has the baton for the last time.
    public void ended(Runner runner, @Nullable Throwable thrown) {
        if (isAbandoned) {
            return;
        }
        runner.state = State.ENDED;
        alive--;
        if (thrown != null && failure == null) {
            String message =
                    "%s %s failed at %,d ns: %s"
                            .formatted(words.part(), runner.name, nowNs(), thrown);
            fail(new BatonFailure(Reason.THROWN, runner.name, message, thrown));
        }
        for (Runner joiner : joiners) {
            rouse(joiner.thread());
        }
        hand(alive == 0 ? null : choose());
    }

    private void hand(@Nullable Runner next) {
        holder = next;
        switches.increment();
        if (next == null) {
            done.countDown();
        } else {
            next.baton.release();
        }
    }

    /// The thread that runs next; there must be one that has not ended.
    private Runner choose() {
        while (true) {
            if (isStopping) {
                return firstAlive();
            }
            if (ready.isEmpty()) {
                advance();
                continue;
            }
            Runner next = ready.remove(random.nextInt(ready.size()));
            // A thread may be woken for a result that another one has taken meanwhile.
            if (next.wait == 0 || next.hasResult(nowNs())) {
                return next;
            }
            next.state = State.WAITING;
        }
    }

    private Runner firstAlive() {
        for (Runner runner : runners) {
            if (runner.state != State.ENDED) {
                return runner;
            }
        }
        throw new AssertionError("a thread is left");
    }

    /// Moves the time until a thread can go on.
    private void advance() {
        dropOldDeadlines();
        Deadline first = deadlines.peek();
        long untilNs = Math.min(endNs, first == null ? Long.MAX_VALUE : first.atNs);
        isAdvancing = true;
        try {
            boolean isMore = true;
            while (isMore && ready.isEmpty()) {
                isMore = time.step(untilNs);
            }
        } catch (RuntimeException | Error broken) {
            // A listener of some thread, or the network itself.
            String message = "an event at %,d ns failed: %s".formatted(nowNs(), broken);
            fail(new BatonFailure(Reason.THROWN, "", message, broken));
        } finally {
            isAdvancing = false;
        }
        if (!ready.isEmpty() || isStopping) {
            return;
        }
        if (first == null && time.isIdle()) {
            fail(stuck());
        } else if (untilNs == endNs) {
            fail(timeOver());
        } else {
            time.advanceTo(untilNs);
            due();
        }
    }

    private void dropOldDeadlines() {
        while (!deadlines.isEmpty() && !isCurrent(deadlines.peek())) {
            deadlines.remove();
        }
    }

    private static boolean isCurrent(Deadline deadline) {
        return deadline.runner.state == State.WAITING && deadline.runner.wait == deadline.number;
    }

    private void due() {
        long nowNs = nowNs();
        while (!deadlines.isEmpty() && deadlines.peek().atNs <= nowNs) {
            Deadline next = deadlines.remove();
            if (isCurrent(next)) {
                ready(next.runner);
            }
        }
    }

    private BatonFailure stuck() {
        return showing(
                new BatonFailure(
                        Reason.STUCK,
                        "",
                        ("nothing will ever happen after %,d ns: %s without a limit, and no packet"
                                        + " is under way; see the suppressed exceptions for where,"
                                        + " and give waits a limit")
                                .formatted(nowNs(), waiting()),
                        null));
    }

    private BatonFailure timeOver() {
        return showing(
                new BatonFailure(
                        Reason.TIME_OVER,
                        "",
                        ("the limit of %,d ns of virtual time has come: %s; see the suppressed"
                                        + " exceptions for where, or raise the limit with %s")
                                .formatted(endNs, waiting(), words.limit()),
                        null));
    }

    private String waiting() {
        List<String> names = new ArrayList<>();
        for (Runner runner : runners) {
            if (runner.state != State.ENDED) {
                names.add(runner.name);
            }
        }
        int more = names.size() - SHOWN_MAX;
        return String.join(", ", names.subList(0, Math.min(SHOWN_MAX, names.size())))
                + (more > 0 ? " and %d more".formatted(more) : "")
                + (names.size() == 1 ? " waits" : " wait");
    }

    private BatonFailure showing(BatonFailure shown) {
        runners.stream()
                .filter(it -> it.state != State.ENDED)
                .limit(SHOWN_MAX)
                .forEach(it -> shown.addSuppressed(it.where()));
        return shown;
    }

    private void fail(BatonFailure why) {
        failure = why;
        isStopping = true;
    }

    private void requireGoing(Runner self) {
        boolean isCancelled = self.isCancelled;
        self.isCancelled = false;
        if (isStopping || isCancelled) {
            throw new Stopped();
        }
    }

    /// Waits until all threads have ended, and looks whether the baton is given on; for a thread
    /// that is none of them. Gives up when one keeps the baton, or when this thread is interrupted.
    ///
    /// @param patience the real time for which a thread may have the baton without a call that
    ///   waits
    /// @return whether all have ended
    public boolean watch(Duration patience) {
        long seen = -1;
        boolean isInterrupted = false;
        @Nullable Runner before = null;
        try {
            while (true) {
                try {
                    if (done.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                        return true;
                    }
                } catch (InterruptedException interrupt) {
                    isInterrupted = true;
                }
                Runner busy = isAdvancing ? null : holder;
                long made = waits.sum();
                if (busy != null && isInterrupted) {
                    abandon(busy, interrupted(busy));
                    return false;
                }
                if (busy != null && busy == before && made == seen) {
                    abandon(busy, heldFor(busy, patience));
                    return false;
                }
                before = busy;
                seen = made;
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Whether threads run that could not be ended.
    public boolean isAbandoned() {
        return isAbandoned;
    }

    private BatonFailure interrupted(Runner held) {
        String message =
                "the thread that runs the %s was interrupted, while %s %s ran"
                        .formatted(words.whole(), words.part(), held.name);
        return new BatonFailure(Reason.INTERRUPTED, held.name, message, null);
    }

    private BatonFailure heldFor(Runner held, Duration patience) {
        String message =
                "%s %s has had the baton for %,d ms, and made no call of verbs that waits; %s"
                        .formatted(words.part(), held.name, patience.toMillis(), words.block());
        return new BatonFailure(Reason.HELD, held.name, message, null);
    }

    void abandon(Runner held, BatonFailure why) {
        why.setStackTrace(held.thread().getStackTrace());
        isAbandoned = true;
        fail(why);
        held.thread().interrupt();
        // Also the one that has it: it may just have given it on, and be waiting for it now.
        for (Runner runner : runners) {
            runner.baton.release();
        }
    }
}
