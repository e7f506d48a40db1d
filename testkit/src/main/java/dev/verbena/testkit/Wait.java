package dev.verbena.testkit;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Waits of tests that run in real time. The tidy test allows a sleep here and nowhere else in test
/// code: a test waits for a condition, not for a time.
public final class Wait {
    private static final Duration STEP = Duration.ofMillis(1);

    private Wait() {}

    /// Waits until a condition holds.
    ///
    /// @param limit how long it may take on the slowest machine; far more than it usually takes
    /// @throws AssertionError when it does not hold by then
    public static void until(String condition, Duration limit, BooleanSupplier holds) {
        long endNs = System.nanoTime() + limit.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("not within " + limit + ": " + condition);
            }
            step();
        }
    }

    /// Leaves the processor to others for a moment, in a loop that looks for work or checks its
    /// condition by itself.
    public static void step() {
        try {
            Thread.sleep(STEP);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while it waited", interrupted);
        }
    }
}
