package dev.verbena.verbs;

/// A finished work request, read from a [CompletionQueue].
///
/// After an error, only [#id], [#status], [#queuePair] and [#vendorError] are valid.
public interface Completion {
    /// The identifier that the caller gave to the work request.
    long id();

    CompletionStatus status();

    default boolean isSuccess() {
        return status() == CompletionStatus.SUCCESS;
    }

    CompletedOperation operation();

    /// Bytes received, read or written; 0 for operations that move no bytes. The length of a
    /// datagram includes the [DatagramHeader].
    long byteLength();

    /// The number of the local queue pair.
    int queuePair();

    boolean hasImmediate();

    /// The immediate data of a receive, with the value that the peer posted; 0 when there is none.
    /// On the wire it is big-endian: a peer that uses libibverbs reads it as `ntohl(imm_data)`.
    int immediate();

    /// Whether the peer's SEND invalidated a local key.
    boolean hasInvalidatedKey();

    /// The invalidated key; 0 when there is none.
    int invalidatedKey();

    /// Whether the peer marked this receive as solicited.
    boolean isSolicited();

    /// The queue pair number of the sender of a datagram; 0 for all other completions.
    int sourceQueuePair();

    /// The LID of the sender of a datagram; 0 on Ethernet, and for all other completions.
    int sourceLid();

    /// The service level of a received datagram; a NIC on Ethernet may not report it.
    int serviceLevel();

    /// Whether the [DatagramHeader] before a datagram is valid; on Ethernet it always is.
    boolean hasGlobalHeader();

    /// An error code of the provider, which [#explanation] describes where it can; 0 when there is
    /// none. Over sockets it is the system's `errno` for the last packet that did not leave.
    int vendorError();

    /// What the status means and what usually causes it, with what the provider knows about this
    /// case: sentences for a log. Makes a string: not for every completion.
    default String explanation() {
        return status().explanation();
    }
}
