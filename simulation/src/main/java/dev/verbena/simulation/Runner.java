package dev.verbena.simulation;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One program: its thread, and what it waits for. Changed by the thread that has the baton.
final class Runner {
    /// Whether a program could go on.
    enum State {
        /// It has the baton, or could have it.
        READY,
        WAITING,
        ENDED
    }

    final int number;
    final String name;

    /// A permit is the baton.
    final Semaphore baton = new Semaphore(0);

    State state = State.READY;
    long sinceNs;
    long deadlineNs;
    BooleanSupplier isOver = () -> true;

    /// Distinguishes its waits.
    long wait;

    private @Nullable Thread thread;

    Runner(int number, String name) {
        this.number = number;
        this.name = name;
    }

    void thread(Thread made) {
        thread = made;
    }

    Thread thread() {
        Thread known = thread;
        if (known == null) {
            throw new AssertionError("a program has its thread before it runs");
        }
        return known;
    }

    boolean hasResult(long nowNs) {
        return nowNs >= deadlineNs || isOver.getAsBoolean();
    }

    /// An exception that shows where the program waits.
    Throwable where() {
        String limit =
                deadlineNs == Long.MAX_VALUE
                        ? "without a limit"
                        : "until %,d ns".formatted(deadlineNs);
        Throwable shown = new Where("%s waits since %,d ns, %s".formatted(name, sinceNs, limit));
        shown.setStackTrace(thread().getStackTrace());
        return shown;
    }

    /// The stack of a program.
    private static final class Where extends Exception {
        private static final long serialVersionUID = 1;

        Where(String message) {
            super(message);
        }
    }
}
