package dev.verbena.verbs.baton;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One of the threads, and what it waits for. Changed by the thread that has the baton.
public final class Runner {
    /// Whether a thread could go on.
    enum State {
        /// It has the baton, or could have it.
        READY,
        WAITING,
        ENDED
    }

    final String name;

    /// Its place among all, in the order in which they were added.
    int number;

    /// A permit is the baton.
    final Semaphore baton = new Semaphore(0);

    State state = State.READY;
    long sinceNs;
    long deadlineNs;
    BooleanSupplier isOver = () -> true;

    /// Distinguishes its waits.
    long wait;

    /// Whether it is to be stopped at its next wait; once, so that it can tidy up.
    boolean isCancelled;

    private @Nullable Thread thread;

    public Runner(String name) {
        this.name = name;
    }

    /// Sets its thread, before it is added.
    public void thread(Thread made) {
        thread = made;
    }

    Thread thread() {
        Thread known = thread;
        if (known == null) {
            throw new AssertionError("a runner has its thread before it is added");
        }
        return known;
    }

    public boolean hasEnded() {
        return state == State.ENDED;
    }

    boolean hasResult(long nowNs) {
        return isCancelled || nowNs >= deadlineNs || isOver.getAsBoolean();
    }

    /// An exception that shows where the thread waits.
    public Throwable where() {
        String limit =
                deadlineNs == Long.MAX_VALUE
                        ? "without a limit"
                        : "until %,d ns".formatted(deadlineNs);
        String text = "%s waits since %,d ns, %s".formatted(name, sinceNs, limit);
        Throwable shown = new Where(wait == 0 ? name + " is here" : text);
        shown.setStackTrace(thread().getStackTrace());
        return shown;
    }

    /// The stack of a thread.
    private static final class Where extends Exception {
        private static final long serialVersionUID = 1;

        Where(String message) {
            super(message);
        }
    }
}
