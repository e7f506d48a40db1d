package dev.verbena.subnet;

import java.lang.foreign.MemorySegment;

/// Takes the datagrams that a subnet manager sends from queue pairs 0 and 1.
@FunctionalInterface
public interface DatagramSink {
    /// The destination of a datagram that goes by the ports it names.
    int DIRECTED = 0xFFFF;

    /// Takes one datagram. There is no result: a datagram that is lost is sent again after its
    /// timeout.
    ///
    /// @param destinationLid a LID, or [#DIRECTED]
    /// @param queuePair 0, or where subnet administration sends an answer or a report
    /// @param mad 256 bytes, which are valid during the call only, and may be changed in it
    void send(int destinationLid, int queuePair, MemorySegment mad);
}
