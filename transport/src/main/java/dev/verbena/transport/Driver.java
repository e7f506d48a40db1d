package dev.verbena.transport;

import dev.verbena.verbs.Gid;
import java.util.Collections;
import java.util.SortedMap;

/// What a device asks of whoever drives it.
public interface Driver {
    /// The present time of the carrier, in nanoseconds.
    long nowNs();

    /// Moves packets once, without waiting; returns whether anything was done. The caller does not
    /// hold the guard: where there is one, it is taken here, if no other thread has it.
    boolean turn();

    /// Waits until something may have happened, at most until `deadlineNs`; returns at once when
    /// the device was closed. In virtual time this is what makes the time pass. Several threads may
    /// wait at a time, and none of them holds the guard.
    void idle(long deadlineNs);

    /// Tells that there is something to send: called from posts, with the guard held, never from
    /// within the carrier's own calls.
    void wake();

    /// Tells that a thread which waits in [#idle], or is about to, has what it waits for: its
    /// `idle` is to return soon, also one that begins only after this call. Called with the guard
    /// held, for a completion that the carrier's own calls brought as well.
    default void rouse(Thread waiter) {}

    /// Tells that a queue pair takes datagrams to a group that none did before; throws a
    /// [dev.verbena.verbs.VerbsException] when that cannot be.
    default void joined(Gid group) {}

    /// Tells that no queue pair takes datagrams to a group any more; does not throw.
    default void left(Gid group) {}

    /// Tells that the device answers requests for a service from now on; false when another one
    /// that shares its address does. Called with the guard held.
    default boolean claimed(long serviceId) {
        return true;
    }

    /// Tells that it does not any more; does not throw.
    default void released(long serviceId) {}

    /// What the carrier counts by itself, by name; shown with the device's own counts.
    default SortedMap<String, Long> counters() {
        return Collections.emptySortedMap();
    }

    /// How packets are carried, in a few words.
    default String description() {
        return "";
    }

    /// Tells that the device was closed and sends nothing more. Called without the guard, unless
    /// whoever closes it holds it.
    default void closed() {}
}
