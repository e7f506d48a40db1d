package dev.verbena.verbs;

/// A finished work request, as the cursor of a [CompletionQueue] shows it.
///
/// After an error only [#id], [#status], [#queuePair] and [#vendorError] mean anything.
public interface Completion {
    /// What the poster called it.
    long id();

    CompletionStatus status();

    default boolean isSuccess() {
        return status() == CompletionStatus.SUCCESS;
    }

    CompletedOperation operation();

    /// Bytes received, read or written; 0 for what moves none. Of a datagram, with the
    /// [DatagramHeader] in front.
    long byteLength();

    /// The number of our queue pair.
    int queuePair();

    boolean hasImmediate();

    /// The immediate data of a receive, as the number that the peer posted; 0 when it has none. It
    /// travels big-endian: a peer with libibverbs sees it as `ntohl(imm_data)`.
    int immediate();

    /// Whether the peer's SEND invalidated one of our keys.
    boolean hasInvalidatedKey();

    /// The key that was invalidated; 0 when none was.
    int invalidatedKey();

    /// Whether the peer asked for this receive to be noticed.
    boolean isSolicited();

    /// The number of the queue pair that a datagram came from; 0 of anything else.
    int sourceQueuePair();

    /// The LID that a datagram came from; 0 on Ethernet, and of anything else.
    int sourceLid();

    /// The service level that a datagram came with; a NIC on Ethernet may not know it.
    int serviceLevel();

    /// Whether the [DatagramHeader] in front of a datagram is valid; on Ethernet it always is.
    boolean hasGlobalHeader();

    /// What the provider adds to an error, for its `explain`; 0 when it has nothing to say.
    int vendorError();
}
