package dev.verbena.fabric;

/// An event whose time may change before it has come.
///
/// The queue knows of a time at which to look, which is never too late; at one that is too early
/// nothing is done but to look again.
abstract class Alarm extends Event {
    final Clock clock;
    private long duePs = EventQueue.NEVER;

    /// The earliest time at which the queue will look.
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
            // Of a time that was given up; the one that counts is still to come.
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
