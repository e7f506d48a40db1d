package dev.verbena.transport.carrier;

import dev.verbena.verbs.Address;
import java.lang.foreign.MemorySegment;

/// Takes the management datagrams of one class that come to queue pair 0 or 1 of a device (IBA
/// 13.4): the connection manager is one, a subnet management agent another.
///
/// Its methods are called with the guard held, never two at a time.
public interface ManagementAgent {
    /// A datagram of 256 bytes came; they are not read after the call.
    ///
    /// @param from the way back to its sender
    /// @return whether it is well formed; one that is not is counted as dropped
    boolean handle(long nowNs, Address from, MemorySegment bytes, long at);

    /// When to call [#handleTimeout] next; `Long.MAX_VALUE` when nothing is waited for.
    default long pollTimeout() {
        return Long.MAX_VALUE;
    }

    /// The time that [#pollTimeout] named has come.
    default void handleTimeout(long nowNs) {}
}
