package dev.verbena.ibverbs;

import dev.verbena.verbs.AsyncEvent;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Events that were not polled yet: those of the device, and those that this provider raises
/// itself.
///
/// The kernel keeps events of the device; they are fetched when a program polls, and before an
/// object that they may name is destroyed.
final class EventQueue {
    /// More than this are not kept; the oldest go.
    static final int MOST = 1024;

    private final ArrayDeque<AsyncEvent> events = new ArrayDeque<>();

    synchronized void add(AsyncEvent.Type type, int subject, String explanation) {
        if (events.size() == MOST) {
            events.poll();
        }
        events.add(new AsyncEvent(type, subject, explanation));
    }

    synchronized @Nullable AsyncEvent poll() {
        return events.poll();
    }
}
