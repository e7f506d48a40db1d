package dev.verbena.transport;

/// What a device asks of whoever drives it.
public interface Driver {
    /// The present time of the carrier, in nanoseconds.
    long nowNs();

    /// Moves packets once, without waiting; returns whether anything was done.
    boolean turn();

    /// Waits until something may have happened, at most until `deadlineNs`. In virtual time this is
    /// what makes the time pass.
    void idle(long deadlineNs);

    /// Tells that there is something to send where there was nothing: called from posts, never from
    /// within the carrier's own calls.
    void wake();

    /// Tells that the device was closed and sends nothing more.
    default void closed() {}
}
