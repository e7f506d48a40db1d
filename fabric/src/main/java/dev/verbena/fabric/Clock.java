package dev.verbena.fabric;

/// The time of a fabric, and what happens by it.
final class Clock {
    static final long PS_PER_NS = 1000;

    private final EventQueue queue = new EventQueue();
    private long nowPs;
    private long happened;

    long nowPs() {
        return nowPs;
    }

    /// The same for the transport, which counts nanoseconds.
    long nowNs() {
        return nowPs / PS_PER_NS;
    }

    /// When the next event happens, or [EventQueue#NEVER].
    long nextPs() {
        return queue.nextPs();
    }

    long happened() {
        return happened;
    }

    void at(Event event, long timePs) {
        queue.add(event, timePs);
    }

    /// Lets an event happen at another time than it would, or at all.
    void move(Event event, long timePs) {
        queue.move(event, timePs);
    }

    void cancel(Event event) {
        queue.remove(event);
    }

    /// Lets the next event happen; there must be one.
    void step() {
        nowPs = queue.nextPs();
        happened++;
        queue.next().happen(nowPs);
    }

    /// Lets all happen that is due until a time, and stays there.
    void run(long untilPs) {
        while (queue.nextPs() <= untilPs) {
            step();
        }
        nowPs = Math.max(nowPs, untilPs);
    }
}
