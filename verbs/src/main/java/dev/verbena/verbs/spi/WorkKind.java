package dev.verbena.verbs.spi;

import dev.verbena.verbs.QueuePairType;

/// Kinds of work requests, and the rules that follow from the kind alone.
public enum WorkKind {
    SEND("SEND"),
    SEND_IMMEDIATE("SEND with immediate"),
    SEND_INVALIDATE("SEND with invalidate"),
    WRITE("WRITE"),
    WRITE_IMMEDIATE("WRITE with immediate"),
    READ("READ"),
    COMPARE_SWAP("compare and swap"),
    FETCH_ADD("fetch and add"),
    LOCAL_INVALIDATE("local invalidate"),
    RECEIVE("receive"),
    BIND_WINDOW("bind");

    private final String title;

    WorkKind(String title) {
        this.title = title;
    }

    /// The name in messages.
    public String title() {
        return title;
    }

    /// Whether a service supports it: unreliable connections lack operations that need a response,
    /// and datagrams support only SEND (IBA 9.2.1).
    public boolean isIn(QueuePairType type) {
        return switch (type) {
            case RC -> true;
            case UC -> !isAnswered() && this != SEND_INVALIDATE;
            case UD -> this == SEND || this == SEND_IMMEDIATE || this == RECEIVE;
        };
    }

    /// Whether it changes eight bytes of the peer's in one step.
    public boolean isAtomic() {
        return this == COMPARE_SWAP || this == FETCH_ADD;
    }

    /// Whether the peer answers with data: such requests count against the reads in flight.
    public boolean isAnswered() {
        return this == READ || isAtomic();
    }

    /// Whether it needs no packet.
    public boolean isLocal() {
        return this == LOCAL_INVALIDATE || this == BIND_WINDOW;
    }

    /// Whether it uses up a receive request of the peer's.
    public boolean usesReceive() {
        return switch (this) {
            case SEND, SEND_IMMEDIATE, SEND_INVALIDATE, WRITE_IMMEDIATE -> true;
            default -> false;
        };
    }

    /// Whether the device writes into the memory that it names.
    public boolean fillsLocal() {
        return isAnswered() || this == RECEIVE;
    }

    /// Whether its bytes may be given inline.
    public boolean takesInline() {
        return !isLocal() && !fillsLocal();
    }
}
