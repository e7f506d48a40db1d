package dev.verbena.testkit.junit;

import dev.verbena.verbs.spi.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/// Threads of a test: a server beside a client.
///
/// ```
/// @RdmaTest(seeds = 50)
/// void theServerAnswers(RdmaPair pair, RdmaThreads threads) {
///     threads.start("server", () -> serve(pair.right()));
///     …
/// }
/// ```
///
/// On a network in virtual time one thread runs at a time, the test's own among them. It hands the
/// baton on in calls that wait: `await`, a poll that finds nothing, `advance`, [#join]. Which of
/// the threads that could run does is decided by the seed of the run, and nothing else. So threads
/// may share objects without locks, and a failure replays. On other devices they are ordinary
/// threads.
///
/// A thread that throws fails the test. The test waits for its threads in the end. One that is a
/// daemon, by `setDaemon(true)` before it starts, is ended then, where it waits.
public final class RdmaThreads implements ThreadFactory {
    /// What a thread does.
    @FunctionalInterface
    public interface Body {
        /// Runs to its end. What it throws fails the test.
        void run() throws Exception;
    }

    private static final Duration LIMIT_MAX = Duration.ofDays(365);

    private final Run run;
    private final List<Member> members = new ArrayList<>();
    private Duration patience = Duration.ofSeconds(10);
    private Duration virtualLimit = Duration.ofSeconds(60);
    private @Nullable ThreadOrder order;
    private int made;

    RdmaThreads(Run run) {
        this.run = run;
    }

    /// The real time for which a thread may have the baton without a call that waits, 10 s unless
    /// set. Afterwards the test fails, and shows where the thread is. Set before the first thread
    /// starts.
    public RdmaThreads patience(Duration value) {
        requireLimit(value);
        patience = value;
        return this;
    }

    /// The virtual time after which the test fails, 60 s from the first thread's start unless set.
    /// Set before the first thread starts.
    public RdmaThreads virtualLimit(Duration value) {
        requireLimit(value);
        virtualLimit = value;
        return this;
    }

    private void requireLimit(Duration value) {
        if (order != null) {
            throw new IllegalStateException("set limits before the first thread starts");
        }
        if (!value.isPositive() || value.compareTo(LIMIT_MAX) > 0) {
            throw new IllegalArgumentException(
                    "a limit of %s: use more than 0, at most 365 days".formatted(value));
        }
    }

    /// Starts a thread.
    public Thread start(String name, Body body) {
        Member member = new Member(this, name, body);
        member.start();
        return member;
    }

    /// A thread that is not started, named `thread 1` and so on.
    @Override
    public Thread newThread(Runnable body) {
        return new Member(this, "thread " + ++made, body::run);
    }

    /// Waits until a thread has ended, as `Thread.join` does, but lets the others run; the test
    /// fails when that takes longer than [RdmaGroup#LIMIT].
    public void join(Thread thread) {
        if (!(thread instanceof Member member) || member.threads != this) {
            throw new IllegalArgumentException(
                    "thread " + thread.getName() + " is none of these: use its own join");
        }
        if (member.getState() == Thread.State.NEW) {
            throw new IllegalStateException(
                    "thread " + thread.getName() + " was not started, so it never ends");
        }
        if (!order().join(member, RdmaGroup.LIMIT)) {
            throw unended(
                    member,
                    "thread %s has not ended within %s"
                            .formatted(thread.getName(), RdmaGroup.text(RdmaGroup.LIMIT)));
        }
    }

    /// A failure that shows where a thread is.
    static AssertionError unended(Member member, String message) {
        AssertionError failure = new AssertionError(message);
        failure.addSuppressed(member.runner.where());
        return failure;
    }

    void starts(Member member) {
        if (order == null) {
            order = begin();
        }
        order.starts(member);
        members.add(member);
    }

    private ThreadOrder begin() {
        run.requireTestThread();
        Optional<VirtualTime> time = network();
        return time.isPresent()
                ? new ByBaton(time.get(), run.seed(), patience, virtualLimit)
                : new AtOnce();
    }

    /// The time that all hosts share, if it is virtual.
    private Optional<VirtualTime> network() {
        List<Optional<VirtualTime>> times =
                run.group().hosts().stream()
                        .map(host -> VirtualTime.of(host.device()))
                        .distinct()
                        .toList();
        if (times.size() != 1) {
            throw new IllegalStateException(
                    "the hosts are on several networks, and threads can take turns on one: let"
                            + " verbena.device name devices of one");
        }
        return times.getFirst();
    }

    void run(Member member) {
        order().run(member);
    }

    private ThreadOrder order() {
        return Objects.requireNonNull(order, "a thread was started");
    }

    /// Ends the threads after the test's method; returns what the test has failed with.
    @Nullable Throwable finish(@Nullable Throwable thrown) {
        ThreadOrder last = order;
        if (last == null) {
            return thrown;
        }
        try {
            return last.finish(members, thrown);
        } finally {
            order = null;
            members.clear();
        }
    }
}
