package dev.verbena.simulation;

import dev.verbena.fabric.Fabric;
import dev.verbena.simulation.Runner.State;
import dev.verbena.simulation.SimulationException.Reason;
import dev.verbena.transport.carrier.Baton;
import dev.verbena.verbs.WrongStateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Decides which program runs. All of it belongs to the thread that has the baton, unless a field
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
/// fabric's clock until one is.
final class BatonScheduler implements Baton {
    private static final long PS_PER_NS = 1000;

    /// What a poll takes that finds nothing.
    private static final long POLL_NS = 100;

    /// Waiting programs that a failure shows.
    private static final int SHOWN_MAX = 16;

    /// When a wait ends at the latest.
    private record Deadline(long atNs, Runner runner, long number) implements Comparable<Deadline> {
        @Override
        public int compareTo(Deadline other) {
            int byTime = Long.compare(atNs, other.atNs);
            return byTime != 0 ? byTime : Integer.compare(runner.number, other.runner.number);
        }
    }

    private final Fabric fabric;
    private final SplittableRandom random;
    private final long endNs;
    private final List<Runner> runners = new ArrayList<>();
    private final Map<Thread, Runner> byThread = new HashMap<>();
    private final List<Runner> ready = new ArrayList<>();
    private final PriorityQueue<Deadline> deadlines = new PriorityQueue<>();
    private final CountDownLatch done = new CountDownLatch(1);
    private int alive;

    /// Read by the watching thread.
    private volatile @Nullable Runner holder;

    private final LongAdder switches = new LongAdder();
    private volatile boolean isAdvancing;
    private volatile boolean isStopping;
    private volatile boolean isAbandoned;
    private volatile @Nullable SimulationException failure;

    BatonScheduler(Fabric fabric, long seed, Duration end) {
        this.fabric = fabric;
        random = new SplittableRandom(seed);
        endNs = nowNs() + end.toNanos();
    }

    /// Adds a program before any of them starts.
    void add(Runner runner) {
        runners.add(runner);
        byThread.put(runner.thread(), runner);
        ready.add(runner);
        alive++;
    }

    /// Gives the baton to the first program; called once, when all threads have been started.
    void begin() {
        hand(choose());
    }

    long nowNs() {
        return fabric.nowPs() / PS_PER_NS;
    }

    long switches() {
        return switches.sum();
    }

    CountDownLatch done() {
        return done;
    }

    @Nullable SimulationException failure() {
        return failure;
    }

    /// Waits for the baton for the first time.
    void start(Runner runner) {
        runner.baton.acquireUninterruptibly();
        requireGoing();
    }

    @Override
    public void enter() {
        self();
    }

    /// The program of this thread, which has the baton.
    private Runner self() {
        requireGoing();
        Runner now = holder;
        if (now == null || !Thread.currentThread().equals(now.thread())) {
            throw foreign(now);
        }
        return now;
    }

    @Override
    public void exit() {}

    private WrongStateException foreign(@Nullable Runner now) {
        Thread self = Thread.currentThread();
        String called = self.getName().isEmpty() ? self.toString() : self.getName();
        return new WrongStateException(
                "simulation",
                "thread %s calls a device, and %s"
                        .formatted(
                                called,
                                now == null ? "no program runs" : "program " + now.name + " runs"),
                "call devices from the threads of programs: Simulation.program starts one more");
    }

    @Override
    public void await(long deadlineNs, BooleanSupplier isOver) {
        Runner self = self();
        if (isAdvancing) {
            throw new WrongStateException(
                    "simulation",
                    "a listener waits, and the time stands still until it returns",
                    "wait in the program, not in its listeners");
        }
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
        requireGoing();
    }

    @Override
    public void polled() {
        if (!isAdvancing) {
            await(nowNs() + POLL_NS, () -> false);
        }
    }

    void sleep(Duration time) {
        await(nowNs() + Math.max(0, time.toNanos()), () -> false);
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

    /// A program has ended; its thread has the baton for the last time.
    void ended(Runner runner, @Nullable Throwable thrown) {
        if (isAbandoned) {
            return;
        }
        runner.state = State.ENDED;
        alive--;
        if (thrown != null && failure == null) {
            String message =
                    "program %s failed at %,d ns: %s".formatted(runner.name, nowNs(), thrown);
            fail(new SimulationException(Reason.THROWN, runner.name, message, thrown));
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

    /// The program that runs next; there must be one that has not ended.
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
        throw new AssertionError("a program is left");
    }

    /// Moves the clock until a program can go on.
    private void advance() {
        dropOldDeadlines();
        Deadline first = deadlines.peek();
        long untilNs = Math.min(endNs, first == null ? Long.MAX_VALUE : first.atNs);
        isAdvancing = true;
        try {
            boolean isMore = true;
            while (isMore && ready.isEmpty()) {
                isMore = fabric.step(ps(untilNs));
            }
        } catch (RuntimeException | Error broken) {
            // A listener of some program, or the simulator itself.
            String message = "an event at %,d ns failed: %s".formatted(nowNs(), broken);
            fail(new SimulationException(Reason.THROWN, "", message, broken));
        } finally {
            isAdvancing = false;
        }
        if (!ready.isEmpty() || isStopping) {
            return;
        }
        if (first == null && fabric.isIdle()) {
            fail(stuck());
        } else if (untilNs == endNs) {
            fail(timeOver());
        } else {
            fabric.run(ps(untilNs));
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

    private static long ps(long ns) {
        return ns > Long.MAX_VALUE / PS_PER_NS ? Long.MAX_VALUE - 1 : ns * PS_PER_NS;
    }

    private SimulationException stuck() {
        return showing(
                new SimulationException(
                        Reason.STUCK,
                        "",
                        ("nothing will ever happen after %,d ns: %s without a limit, and no packet"
                                        + " is under way; see the suppressed exceptions for where,"
                                        + " and give waits a limit")
                                .formatted(nowNs(), waiting()),
                        null));
    }

    private SimulationException timeOver() {
        return showing(
                new SimulationException(
                        Reason.TIME_OVER,
                        "",
                        ("the limit of %,d ns of virtual time has come: %s; see the suppressed"
                                        + " exceptions for where, or raise the limit with"
                                        + " Simulation.virtualLimit")
                                .formatted(endNs, waiting()),
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

    private SimulationException showing(SimulationException shown) {
        runners.stream()
                .filter(it -> it.state != State.ENDED)
                .limit(SHOWN_MAX)
                .forEach(it -> shown.addSuppressed(it.where()));
        return shown;
    }

    private void fail(SimulationException why) {
        failure = why;
        isStopping = true;
    }

    private void requireGoing() {
        if (isStopping) {
            throw new Stopped();
        }
    }

    /// The program that has the baton and is not in a call that waits; for the watching thread.
    @Nullable Runner busy() {
        return isAdvancing ? null : holder;
    }

    /// Ends a simulation whose baton does not come back; called by the watching thread.
    void giveUp(Runner held, Duration patience) {
        abandon(held, heldFor(held, patience));
    }

    /// The same when the watching thread was interrupted.
    void interrupted(Runner held) {
        String message =
                "the thread that runs the simulation was interrupted, while program %s ran"
                        .formatted(held.name);
        abandon(held, new SimulationException(Reason.INTERRUPTED, held.name, message, null));
    }

    private static SimulationException heldFor(Runner held, Duration patience) {
        String message =
                ("program %s has had the baton for %,d ms, and made no call of verbs that waits;"
                                + " block nowhere else (a lock, a queue, Thread.sleep), sleep with"
                                + " Host.sleep, or raise the limit with Simulation.patience")
                        .formatted(held.name, patience.toMillis());
        return new SimulationException(Reason.HELD, held.name, message, null);
    }

    private void abandon(Runner held, SimulationException why) {
        why.setStackTrace(held.thread().getStackTrace());
        isAbandoned = true;
        fail(why);
        held.thread().interrupt();
        for (Runner runner : runners) {
            if (runner != held) {
                runner.baton.release();
            }
        }
    }
}
