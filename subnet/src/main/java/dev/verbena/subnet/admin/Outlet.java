package dev.verbena.subnet.admin;

import java.lang.foreign.MemorySegment;

/// Takes what subnet administration sends.
@FunctionalInterface
public interface Outlet {
    /// Takes a datagram of 256 bytes.
    void send(Peer to, MemorySegment mad);
}
