package dev.verbena.fabric;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The time of a fabric, and its events.
final class Clock {
    static final long PS_PER_NS = 1000;

    private final EventQueue queue = new EventQueue();

    /// By order.
    private @Nullable Event[] events = new Event[64];

    private long nowPs;
    private long happened;

    long nowPs() {
        return nowPs;
    }

    /// The same in nanoseconds, for the transport.
    long nowNs() {
        return nowPs / PS_PER_NS;
    }

    /// Time of the next event, or [EventQueue#NEVER].
    long nextPs() {
        return queue.nextPs();
    }

    long happened() {
        return happened;
    }

    /// Schedules an event at a time; call it once for each time.
    void at(Event event, long timePs) {
        assert timePs >= nowPs : "nothing happens in the past";
        queue.add(event.order, timePs);
    }

    /// Registers an event, once, before it is scheduled.
    void add(Event event) {
        if (event.order >= events.length) {
            events = Arrays.copyOf(events, Math.max(event.order + 1, events.length * 2));
        }
        assert events[event.order] == null : "two events of one order";
        events[event.order] = event;
    }

    /// Runs the next event; there must be one.
    void step() {
        nowPs = queue.nextPs();
        happened++;
        Event event = events[queue.next()];
        if (event == null) {
            throw new AssertionError("an event is known before it happens");
        }
        event.happen(nowPs);
    }

    /// Lets the time pass, at most to the next event, which does not happen yet.
    void pass(long untilPs) {
        nowPs = Math.max(nowPs, Math.min(untilPs, queue.nextPs()));
    }

    /// Runs all events up to a time, and stops at that time.
    void run(long untilPs) {
        while (queue.nextPs() <= untilPs) {
            step();
        }
        nowPs = Math.max(nowPs, untilPs);
    }
}
