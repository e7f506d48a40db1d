package dev.verbena.transport.schedule;

/// A sender with deadlines: a queue pair.
public abstract class Timed extends Transmitter {
    /// Its place among those of its device; equal times go by it.
    public final int index;

    /// Used by the timer queue: the time it is put in for, and where it stands.
    long timerAtNs;

    int timerPlace = -1;

    Timed(int index) {
        this.index = index;
    }

    /// Handles the deadlines that are due; the timer queue no longer holds it.
    ///
    /// @param heardNs what had arrived by then was handed over
    public abstract void handleTimeout(long nowNs, long heardNs);
}
