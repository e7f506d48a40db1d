package dev.verbena.fabric;

import java.util.Arrays;

/// What will happen, soonest first: a heap with four children to a node.
///
/// Times stand in an array of their own, so that a step down reads one cache line and no event.
/// Every event is in here at most once, so the queue is as long as there are busy ports and armed
/// timers, not packets.
final class EventQueue {
    /// When there is nothing to come.
    static final long NEVER = Long.MAX_VALUE;

    private static final int CHILDREN = 4;

    private long[] times = new long[64];
    private Event[] events = new Event[64];
    private int size;

    int size() {
        return size;
    }

    /// When the next one happens, or [#NEVER].
    long nextPs() {
        return size == 0 ? NEVER : times[0];
    }

    /// Lets an event happen that is not waited for yet.
    void add(Event event, long timePs) {
        assert !event.isPending() : "an event happens once at a time";
        if (size == times.length) {
            times = Arrays.copyOf(times, size * 2);
            events = Arrays.copyOf(events, size * 2);
        }
        up(size++, event, timePs);
    }

    /// Lets an event happen at another time, whether it was waited for or not.
    void move(Event event, long timePs) {
        if (!event.isPending()) {
            add(event, timePs);
        } else if (timePs < times[event.place]) {
            up(event.place, event, timePs);
        } else {
            down(event.place, event, timePs);
        }
    }

    void remove(Event event) {
        int place = event.place;
        if (place == Event.NOWHERE) {
            return;
        }
        event.place = Event.NOWHERE;
        size--;
        Event last = events[size];
        long lastPs = times[size];
        if (place < size) {
            int parent = (place - 1) / CHILDREN;
            if (place > 0 && isBefore(lastPs, last, parent)) {
                up(place, last, lastPs);
            } else {
                down(place, last, lastPs);
            }
        }
    }

    /// Takes the next event out; there must be one.
    Event next() {
        Event first = events[0];
        first.place = Event.NOWHERE;
        size--;
        if (size > 0) {
            down(0, events[size], times[size]);
        }
        return first;
    }

    private boolean isBefore(long timePs, Event event, int than) {
        long other = times[than];
        return timePs < other || (timePs == other && event.order < events[than].order);
    }

    private void up(int from, Event event, long timePs) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) / CHILDREN;
            if (!isBefore(timePs, event, parent)) {
                break;
            }
            put(at, events[parent], times[parent]);
            at = parent;
        }
        put(at, event, timePs);
    }

    private void down(int from, Event event, long timePs) {
        int at = from;
        while (true) {
            int child = at * CHILDREN + 1;
            if (child >= size) {
                break;
            }
            int end = Math.min(child + CHILDREN, size);
            int least = child;
            for (int i = child + 1; i < end; i++) {
                long time = times[i];
                if (time < times[least]
                        || (time == times[least] && events[i].order < events[least].order)) {
                    least = i;
                }
            }
            if (isBefore(timePs, event, least)) {
                break;
            }
            put(at, events[least], times[least]);
            at = least;
        }
        put(at, event, timePs);
    }

    private void put(int at, Event event, long timePs) {
        times[at] = timePs;
        events[at] = event;
        event.place = at;
    }
}
