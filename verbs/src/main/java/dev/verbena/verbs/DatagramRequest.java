package dev.verbena.verbs;

/// A request of a peer for a datagram queue pair. Answer it soon: the protocol cannot ask the peer
/// to wait. A Verbena peer gives up after about 17 seconds, a Linux peer after a minute.
public interface DatagramRequest {
    /// The address of the peer.
    Gid peer();

    /// The source port that the peer names. Only programs use it.
    int peerPort();

    /// Private data from the peer's program: 180 bytes, padded with zeros.
    byte[] privateData();

    /// Replies with a queue pair and its queue key. Many peers may get the same queue pair.
    ///
    /// @param queuePair of type UD, activated, with the receives posted that the peer expects
    /// @param privateData up to 136 bytes for the peer's program
    /// @throws InvalidRequestException when the queue pair has another type or belongs to another
    ///   device
    /// @throws WrongStateException when the request was already answered, or the queue pair cannot
    ///   receive yet
    void accept(QueuePair queuePair, byte... privateData);

    /// Rejects the request.
    ///
    /// @param privateData up to 136 bytes for the peer's program
    void reject(byte... privateData);
}
