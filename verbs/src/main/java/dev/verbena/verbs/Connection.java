package dev.verbena.verbs;

import java.time.Duration;

/// A connection between a local queue pair and its peer.
public interface Connection extends AutoCloseable {
    /// The state of the connection.
    enum State {
        /// The connection is not established yet.
        CONNECTING,
        /// Both sides may send.
        ESTABLISHED,
        /// The connection was never established.
        FAILED,
        /// The connection has ended: one side asked for it, or its queue pair failed, as it does
        /// when the peer no longer answers. The queue pair is in [QueuePairState#ERROR].
        DISCONNECTED
    }

    QueuePair queuePair();

    State state();

    /// The state that the last event reported. It asks no device, so it may be called for every
    /// message: over libibverbs [#state] is a system call. A queue pair that has failed by itself
    /// may still count as [State#ESTABLISHED] here, until [#state] is called or the peer hears of
    /// it; its completions tell the program.
    default State reportedState() {
        return state();
    }

    /// The address of the peer.
    Gid peer();

    /// The source port that this side named to the peer, where [ConnectionRequest#peerPort] shows
    /// it; 0 on the side that accepted, and where the device does not report it.
    default int localPort() {
        return 0;
    }

    /// Private data that the peer's program sent with its request or its reply; empty before it
    /// arrives.
    byte[] privateData();

    /// Waits until both sides may send. Several threads may wait.
    ///
    /// @return false when the timeout passes first
    /// @throws ConnectionFailedException when the connection cannot be established, with the reason
    boolean await(Duration timeout) throws ConnectionFailedException;

    /// Waits until the connection has ended; returns false when the timeout passes first.
    boolean awaitDisconnected(Duration timeout);

    /// Lets an idle connection notice that its peer is gone: when the peer has acknowledged nothing
    /// for this long, it is sent a WRITE without data, and a peer that does not answer it after all
    /// retries ends the connection. A program with requests in flight notices without this.
    ///
    /// Both programs have to agree on it, because the peer's queue pair must allow
    /// [Access#REMOTE_WRITE]: one that does not takes the WRITE for a mistake, and the connection
    /// fails. The probe uses no receive of the peer, and no completion reports it; a queue pair
    /// that fails by it raises [AsyncEvent.Type#QUEUE_PAIR_FATAL]. May be called again with another
    /// interval; has no effect on a connection that has ended.
    ///
    /// @param interval 1 ms to 24 h
    /// @throws InvalidRequestException when the queue pair does not allow its own peer the same
    /// @throws UnsupportedException when the device or the type of the queue pair has no keep-alive
    default void keepAlive(Duration interval) {
        throw new UnsupportedException(
                toString(), "the device has no keep-alive", "send something now and then");
    }

    /// Ends the connection and notifies the peer. The queue pair enters [QueuePairState#ERROR] and
    /// flushes posted work. Has no effect on a connection that has already ended.
    void disconnect();

    /// Ends the connection like [#disconnect]; the queue pair stays open, and the program closes
    /// it.
    @Override
    void close();
}
