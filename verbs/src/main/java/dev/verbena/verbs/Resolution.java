package dev.verbena.verbs;

import java.time.Duration;

/// A request to a peer for the datagram queue pair that serves a port, and its result.
///
/// There is no connection to end, and the peer keeps no state for it.
public interface Resolution extends AutoCloseable {
    /// The state of the request.
    enum State {
        /// There is no reply yet.
        ASKING,
        /// The peer named a queue pair.
        RESOLVED,
        /// The peer refused or did not reply.
        FAILED,
        /// The request was closed before a reply arrived.
        GIVEN_UP
    }

    State state();

    /// Waits for the reply. Several threads may wait.
    ///
    /// @return false when the timeout passes first
    /// @throws ConnectionFailedException when there is no queue pair, with the reason
    boolean await(Duration timeout) throws ConnectionFailedException;

    /// The address of the peer, for an [AddressHandle].
    Address address();

    /// The number of the peer's queue pair.
    ///
    /// @throws WrongStateException unless resolved
    int queuePair();

    /// The queue key that datagrams to the peer's queue pair must carry.
    ///
    /// @throws WrongStateException unless resolved
    int queueKey();

    /// Private data that the peer's program sent with its reply: 136 bytes, padded with zeros;
    /// empty before the reply arrives.
    byte[] privateData();

    /// Stops the request. A reply that has already arrived stays available.
    @Override
    void close();
}
