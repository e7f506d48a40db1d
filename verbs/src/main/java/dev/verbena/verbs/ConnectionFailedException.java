package dev.verbena.verbs;

import java.io.IOException;

/// A connection, or a datagram queue pair, could not be obtained: the peer refused or did not
/// reply.
public final class ConnectionFailedException extends IOException {
    private static final long serialVersionUID = 1;

    /// The reason of the failure.
    public enum Reason {
        /// The peer did not reply to any attempt.
        NO_ANSWER,
        /// No program listens on the port.
        NOBODY_LISTENS,
        /// The peer's program refused; it may have sent private data.
        REJECTED,
        /// The peer still holds an older connection of the same queue pair.
        STALE,
        /// The peer or the local side has no room for another connection.
        NO_RESOURCES,
        /// Any other reason that the peer gave.
        OTHER
    }

    private final Reason reason;
    private final byte[] privateData;

    /// @param privateData private data from the peer's program; may be empty
    public ConnectionFailedException(String message, Reason reason, byte... privateData) {
        super(message);
        this.reason = reason;
        this.privateData = privateData.clone();
    }

    public Reason reason() {
        return reason;
    }

    /// Private data that the peer's program sent with its refusal.
    public byte[] privateData() {
        return privateData.clone();
    }
}
