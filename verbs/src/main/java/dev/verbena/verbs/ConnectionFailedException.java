package dev.verbena.verbs;

import java.io.IOException;

/// There is no connection, or no queue pair for datagrams: the peer refused, or nobody answered.
public final class ConnectionFailedException extends IOException {
    private static final long serialVersionUID = 1;

    /// What happened.
    public enum Reason {
        /// Nobody answered, however often it was asked.
        NO_ANSWER,
        /// Nobody listens at the port.
        NOBODY_LISTENS,
        /// The peer's program said no; it may have sent private data.
        REJECTED,
        /// The peer still holds an older connection of the same queue pair.
        STALE,
        /// The peer, or this side, has no room.
        NO_RESOURCES,
        /// Anything else that the peer said.
        OTHER
    }

    private final Reason reason;
    private final byte[] privateData;

    /// @param privateData what the peer's program said, or nothing
    public ConnectionFailedException(String message, Reason reason, byte... privateData) {
        super(message);
        this.reason = reason;
        this.privateData = privateData.clone();
    }

    public Reason reason() {
        return reason;
    }

    /// What the peer's program sent along with its refusal.
    public byte[] privateData() {
        return privateData.clone();
    }
}
