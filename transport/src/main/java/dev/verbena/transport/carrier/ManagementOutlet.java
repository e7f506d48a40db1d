package dev.verbena.transport.carrier;

import dev.verbena.verbs.Address;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// How the datagrams of a [ManagementAgent] leave.
public interface ManagementOutlet {
    /// Sends a datagram without a guarantee: who needs an answer sends it again. One that finds too
    /// many waiting is dropped.
    ///
    /// @param writer writes all 256 bytes
    void send(Address to, Consumer<MemorySegment> writer);
}
