package dev.verbena.verbs;

/// A request of a peer to connect. The program accepts or rejects it, within about a minute.
public interface ConnectionRequest {
    /// The address of the peer.
    Gid peer();

    /// The source port that the peer names. Only programs use it.
    int peerPort();

    /// The type that the local queue pair must have.
    QueuePairType type();

    /// Private data from the peer's program: 56 bytes, padded with zeros.
    byte[] privateData();

    /// Accepts the request. The queue pair is connected and can receive; it can send when the
    /// connection is [established][Connection#await].
    ///
    /// @param queuePair in INIT, with the receives posted that the peer expects
    /// @param privateData up to 196 bytes for the peer's program
    /// @throws InvalidRequestException when the queue pair has another type or belongs to another
    ///   device
    /// @throws WrongStateException when the request was already answered
    Connection accept(QueuePair queuePair, byte... privateData);

    /// Rejects the request.
    ///
    /// @param privateData up to 148 bytes for the peer's program
    void reject(byte... privateData);
}
