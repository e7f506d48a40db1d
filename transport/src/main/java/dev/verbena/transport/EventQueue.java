package dev.verbena.transport;

import dev.verbena.verbs.AsyncEvent;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Asynchronous events that wait to be polled, up to a limit: beyond it the oldest is dropped.
final class EventQueue {
    private final ArrayDeque<AsyncEvent> events = new ArrayDeque<>(1);
    private final int limit;
    private final Counters counters;

    EventQueue(int limit, Counters counters) {
        this.limit = limit;
        this.counters = counters;
    }

    void add(AsyncEvent.Type type, int subject, String explanation) {
        if (events.size() == limit) {
            events.remove();
            counters.add(Counter.DROPPED_EVENT);
        }
        events.add(new AsyncEvent(type, subject, explanation));
    }

    @Nullable AsyncEvent poll() {
        return events.poll();
    }
}
