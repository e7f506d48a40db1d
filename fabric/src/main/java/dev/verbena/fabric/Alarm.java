package dev.verbena.fabric;

/// An event whose time can change before it happens.
///
/// The queue holds a time that is never too late. When it is too early, the alarm only schedules
/// itself again.
abstract class Alarm extends Event {
    final Clock clock;
    private long duePs = EventQueue.NEVER;

    /// The earliest time in the queue.
    private long lookPs = EventQueue.NEVER;

    Alarm(Clock clock, int order) {
        super(order);
        this.clock = clock;
        clock.add(this);
    }

    final boolean isSet() {
        return duePs != EventQueue.NEVER;
    }

    final void set(long timePs) {
        duePs = timePs;
        if (timePs < lookPs) {
            lookPs = timePs;
            clock.at(this, timePs);
        }
    }

    final void cancel() {
        duePs = EventQueue.NEVER;
    }

    @Override
    final void happen(long nowPs) {
        if (nowPs < lookPs) {
            // An old time; the entry with the right one is still in the queue.
            return;
        }
        lookPs = EventQueue.NEVER;
        if (duePs <= nowPs) {
            duePs = EventQueue.NEVER;
            ring(nowPs);
        } else if (duePs != EventQueue.NEVER) {
            set(duePs);
        }
    }

    abstract void ring(long nowPs);
}
