package dev.verbena.transport.common;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Listeners that are to be called once nothing is in the middle of its work: a listener may close,
/// reset or post to anything, the queue pair included whose packet is being handled.
public final class Notices {
    private final ArrayDeque<Runnable> due = new ArrayDeque<>(2);

    /// How many calls are in the middle of their work.
    private int held;

    /// How many listeners are due: the end of every call asks for it.
    private int count;

    public void add(Runnable listener) {
        due.addLast(listener);
        count++;
    }

    /// Calls no listener until [#letGo].
    public void hold() {
        held++;
    }

    public void letGo() {
        held--;
        deliver();
    }

    /// Calls the listeners that are due, unless a call is in the middle of its work. What one of
    /// them causes is delivered after it, not inside of it.
    void deliver() {
        if (held > 0 || count == 0) {
            return;
        }
        held++;
        try {
            @Nullable Runnable listener;
            while ((listener = due.pollFirst()) != null) {
                count--;
                listener.run();
            }
        } finally {
            held--;
        }
    }
}
