package dev.verbena.verbs;

/// A peer that wants to connect: to be accepted or rejected, within a minute or so.
public interface ConnectionRequest {
    /// Where the peer is.
    Gid peer();

    /// The port that the peer says it comes from, which means nothing but to programs.
    int peerPort();

    /// The type that a queue pair for it must have.
    QueuePairType type();

    /// What the peer's program sent along: 56 bytes, zeros behind what it filled.
    byte[] privateData();

    /// Agrees. The queue pair is connected and may receive; it may send when the connection is
    /// [established][Connection#await].
    ///
    /// @param queuePair in INIT, with the receives posted that the peer counts on
    /// @param privateData up to 196 bytes for the peer's program
    /// @throws InvalidRequestException when the queue pair is of another type or device
    /// @throws WrongStateException when the request was answered before
    Connection accept(QueuePair queuePair, byte... privateData);

    /// Says no.
    ///
    /// @param privateData up to 148 bytes for the peer's program
    void reject(byte... privateData);
}
