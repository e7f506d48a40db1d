package dev.verbena.ibverbs;

import dev.verbena.verbs.QueuePairType;

/// Kinds of send requests; codes are those of libibverbs' `ibv_wr_opcode`.
enum SendKind {
    WRITE(0, "WRITE"),
    WRITE_IMMEDIATE(1, "WRITE with immediate"),
    SEND(2, "SEND"),
    SEND_IMMEDIATE(3, "SEND with immediate"),
    READ(4, "READ"),
    COMPARE_SWAP(5, "compare and swap"),
    FETCH_ADD(6, "fetch and add"),
    LOCAL_INVALIDATE(7, "local invalidate"),
    BIND(8, "bind"),
    SEND_INVALIDATE(9, "SEND with invalidate");

    private final int code;
    private final String title;

    SendKind(int code, String title) {
        this.code = code;
        this.title = title;
    }

    int code() {
        return code;
    }

    String title() {
        return title;
    }

    /// Whether a service supports it: unreliable connections lack operations that need a response,
    /// and datagrams support only SEND (IBA 9.2.1).
    boolean isIn(QueuePairType type) {
        return switch (type) {
            case RC -> true;
            case UC -> !isAnswered() && this != SEND_INVALIDATE;
            case UD -> this == SEND || this == SEND_IMMEDIATE;
        };
    }

    boolean isAtomic() {
        return this == COMPARE_SWAP || this == FETCH_ADD;
    }

    /// Whether the peer sends bytes back.
    boolean isAnswered() {
        return this == READ || isAtomic();
    }

    /// Whether the device writes into the memory that it names.
    boolean fillsLocal() {
        return isAnswered();
    }

    /// Whether it needs no packet.
    boolean isLocal() {
        return this == LOCAL_INVALIDATE || this == BIND;
    }

    boolean takesInline() {
        return !isLocal() && !isAnswered();
    }
}
