package dev.verbena.verbs;

import java.time.Duration;

/// The question which datagram queue pair serves a port of a peer, and its answer.
///
/// Nothing has to be ended later: there is no connection, and the peer keeps nothing of it.
public interface Resolution extends AutoCloseable {
    /// What has become of it.
    enum State {
        /// Not yet answered.
        ASKING,
        /// The peer named a queue pair.
        RESOLVED,
        /// The peer refused, or nobody answered.
        FAILED,
        /// Closed before there was an answer.
        GIVEN_UP
    }

    State state();

    /// Waits for the answer. One thread waits at a time.
    ///
    /// @return false when there is none in time
    /// @throws ConnectionFailedException when there will be none, with the reason
    boolean await(Duration timeout) throws ConnectionFailedException;

    /// The way to the peer, for an [AddressHandle].
    Address address();

    /// The number of the peer's queue pair.
    ///
    /// @throws WrongStateException unless resolved
    int queuePair();

    /// The key that datagrams to it must show.
    ///
    /// @throws WrongStateException unless resolved
    int queueKey();

    /// What the peer's program sent along with its answer: 136 bytes, zeros behind what it filled;
    /// empty before that came.
    byte[] privateData();

    /// Asks no longer. What was answered stays.
    @Override
    void close();
}
