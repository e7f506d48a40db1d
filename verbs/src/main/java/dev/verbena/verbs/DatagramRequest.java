package dev.verbena.verbs;

/// A peer that asks for a datagram queue pair: to be answered soon, since nothing tells it to wait.
/// One of ours gives up after some 17 seconds, one of Linux' after a minute.
public interface DatagramRequest {
    /// Where the peer is.
    Gid peer();

    /// The port that the peer says it comes from, which means nothing but to programs.
    int peerPort();

    /// What the peer's program sent along: 180 bytes, zeros behind what it filled.
    byte[] privateData();

    /// Names a queue pair, and the queue key that it has. Many peers may be told the same one.
    ///
    /// @param queuePair of type UD, activated, with the receives posted that the peer counts on
    /// @param privateData up to 136 bytes for the peer's program
    /// @throws InvalidRequestException when the queue pair is of another type or device
    /// @throws WrongStateException when the request was answered before, or the queue pair does not
    ///   receive yet
    void accept(QueuePair queuePair, byte... privateData);

    /// Says no.
    ///
    /// @param privateData up to 136 bytes for the peer's program
    void reject(byte... privateData);
}
