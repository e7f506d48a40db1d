package dev.verbena.transport.pair;

/// The managed connection of a queue pair, as the queue pair sees it.
public interface PairConnection {
    /// The peer's queue pair sends: it is ready, even if its message about that was lost.
    void firstPacket();

    /// The queue pair has failed.
    ///
    /// @param hasAnswer whether it still has to send an answer with the reason
    void pairFailed(boolean hasAnswer);

    /// Ends it; the peer learns it.
    void disconnect();
}
