package dev.verbena.verbs;

import java.time.Duration;

/// A queue pair and its peer, as both sides agreed on it.
public interface Connection extends AutoCloseable {
    /// What has become of it.
    enum State {
        /// Not yet agreed on.
        CONNECTING,
        /// Both sides may send.
        ESTABLISHED,
        /// There never was a connection.
        FAILED,
        /// It is over: one side said so. The queue pair is in [QueuePairState#ERROR].
        DISCONNECTED
    }

    QueuePair queuePair();

    State state();

    /// Where the peer is.
    Gid peer();

    /// What the peer's program sent along with its request or its answer; empty before that came.
    byte[] privateData();

    /// Waits until both sides may send. One thread waits at a time.
    ///
    /// @return false when it is not decided in time
    /// @throws ConnectionFailedException when there will be none, with the reason
    boolean await(Duration timeout) throws ConnectionFailedException;

    /// Waits until it is over; false when it is not in time.
    boolean awaitDisconnected(Duration timeout);

    /// Ends it, and tells the peer. The queue pair goes to [QueuePairState#ERROR]: what is posted
    /// is flushed. Nothing happens when it is over already.
    void disconnect();

    /// Ends it like [#disconnect]; the queue pair stays, and is the program's to close.
    @Override
    void close();
}
