package dev.verbena.fabric.manage;

import java.lang.foreign.MemorySegment;

/// Takes the datagrams that come to a host and that no agent answers: answers to its own requests,
/// traps, and requests to a manager.
@FunctionalInterface
public interface MadReceiver {
    /// Takes a datagram, or leaves it.
    ///
    /// @param mad 256 bytes, which may be changed and are not read after the call
    /// @return whether there is a program that takes it
    boolean receive(MadEnvelope envelope, MemorySegment mad);
}
