package dev.verbena.testkit.junit;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the threads of a test run beside each other. Called on the test's threads only.
interface ThreadOrder {
    /// A thread is about to be started.
    void starts(Member member);

    /// Runs what a thread is for, on this thread.
    void run(Member member);

    /// Waits until a thread has ended; returns false when it does not in time.
    boolean join(Member member, Duration limit);

    /// The test's method has ended: waits for its threads, or ends them when it has failed.
    ///
    /// @param thrown by the test's method
    /// @return what the test has failed with, if it has
    @Nullable Throwable finish(List<Member> members, @Nullable Throwable thrown);
}
