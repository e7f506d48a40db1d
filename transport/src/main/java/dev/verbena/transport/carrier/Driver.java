package dev.verbena.transport.carrier;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.spi.NetworkReduction;
import dev.verbena.verbs.spi.VirtualTime;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;

/// The functions that a device needs from its driver.
public interface Driver {
    /// The present time of the carrier, in nanoseconds.
    long nowNs();

    /// The same as something that threads can share in turn, for a carrier in virtual time.
    default Optional<VirtualTime> virtualTime() {
        return Optional.empty();
    }

    /// Reductions by the switches of the carrier's network, where it has such.
    default Optional<NetworkReduction> networkReduction() {
        return Optional.empty();
    }

    /// Moves packets once, without waiting; returns whether anything was done. The caller does not
    /// hold the guard: where there is one, it is taken here, if no other thread has it.
    boolean turn();

    /// Called when a program has polled and found nothing to do. In virtual time polling takes a
    /// little of it, so that a program that polls gets on as one that waits does.
    default void polledInVain() {}

    /// Waits for a possible event, at most until `deadlineNs`; returns at once when the device was
    /// closed. In virtual time this call advances the time. Several threads may wait at a time, and
    /// none of them holds the guard.
    ///
    /// @param isDone whether the thread has its result; a carrier with several threads asks it with
    ///   the guard held before it lets one sleep, since [#rouse] may have been called before
    void idle(long deadlineNs, BooleanSupplier isDone);

    /// Called when there is something to send: from posts, with the guard held, never from within
    /// the carrier's own calls.
    void wake();

    /// Called when a thread that waits in [#idle], or is about to, has its result: its `idle` must
    /// return soon. Called with the guard held, also for a completion that the carrier's own calls
    /// produced.
    default void rouse(Thread waiter) {}

    /// Called when the first queue pair attaches to a multicast group; throws a
    /// [dev.verbena.verbs.VerbsException] when the group cannot be joined.
    default void joined(Gid group) {}

    /// Called when the last queue pair leaves a multicast group; does not throw.
    default void left(Gid group) {}

    /// Called before the port changes, with the guard held; throws a
    /// [dev.verbena.verbs.VerbsException] when the carrier cannot follow. A carrier that finds
    /// devices by the GID which they were opened with cannot follow another one.
    default void portChanges(PortSettings before, PortSettings after) {
        if (!before.gids().equals(after.gids())) {
            throw new UnsupportedException(
                    "port 1", "its carrier knows it by its GIDs", "open another device");
        }
    }

    /// Called when the device starts to answer requests for a service; returns false when another
    /// device that shares its address does already. Called with the guard held.
    default boolean claimed(long serviceId) {
        return true;
    }

    /// Called when the device stops answering requests for a service; does not throw.
    default void released(long serviceId) {}

    /// The carrier's code for why packets to this peer did not leave of late; 0 when all did.
    /// Called with the guard held.
    default int lastError(Gid peer) {
        return 0;
    }

    /// What such a code means, and what to do: one sentence.
    default String explain(int error) {
        return "";
    }

    /// The carrier's own counters, by name; shown with the counters of the device.
    default SortedMap<String, Long> counters() {
        return Collections.emptySortedMap();
    }

    /// How packets are carried, in a few words.
    default String description() {
        return "";
    }

    /// Called when the first queue pair or listener is made, by which peers reach the device, and
    /// when the last one is closed. In between a carrier with a thread of its own refers to the
    /// device, so that peers are answered even if the program refers to nothing of it. Otherwise it
    /// should not, to notice that the program has forgotten the device.
    default void reachable(boolean isReachable) {}

    /// Called when the device was closed and sends nothing more. Called without the guard, unless
    /// the caller of `close` holds it.
    default void closed() {}
}
