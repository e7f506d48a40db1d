package dev.verbena.transport.common;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.AsyncEvent;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Asynchronous events that wait to be polled, up to a limit: beyond it the oldest is dropped.
public final class EventQueue {
    private static final System.Logger LOG = System.getLogger(EventQueue.class.getName());

    private final ArrayDeque<AsyncEvent> events = new ArrayDeque<>(1);
    private final int limit;
    private final Counters counters;

    public EventQueue(int limit, Counters counters) {
        this.limit = limit;
        this.counters = counters;
    }

    public void add(AsyncEvent.Type type, int subject, String explanation) {
        if (events.size() == limit) {
            events.remove();
            counters.add(Counter.DROPPED_EVENT);
        }
        events.add(new AsyncEvent(type, subject, explanation));
    }

    /// The same for what a program should not miss, even if it polls no events: also a line of the
    /// log.
    public void warn(AsyncEvent.Type type, int subject, String explanation) {
        add(type, subject, explanation);
        try {
            LOG.log(Level.WARNING, explanation);
        } catch (RuntimeException | Error broken) {
            // A logger without files or memory must not end the device; the event is there.
        }
    }

    public @Nullable AsyncEvent poll() {
        return events.poll();
    }
}
