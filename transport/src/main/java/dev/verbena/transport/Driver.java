package dev.verbena.transport;

import dev.verbena.verbs.Gid;

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

    /// Tells that a queue pair takes datagrams to a group that none did before; throws a
    /// [dev.verbena.verbs.VerbsException] when that cannot be.
    default void joined(Gid group) {}

    /// Tells that no queue pair takes datagrams to a group any more; does not throw.
    default void left(Gid group) {}

    /// Tells that the device was closed and sends nothing more.
    default void closed() {}
}
