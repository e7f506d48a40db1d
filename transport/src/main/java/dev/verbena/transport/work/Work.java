package dev.verbena.transport.work;

import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.QueuePairType;

/// Kinds and flags of work requests, as numbers that fit a [WorkSlab].
public final class Work {
    public static final int SEND = 0;
    static final int SEND_IMMEDIATE = 1;
    static final int SEND_INVALIDATE = 2;
    public static final int WRITE = 3;
    static final int WRITE_IMMEDIATE = 4;
    public static final int READ = 5;
    static final int COMPARE_SWAP = 6;
    static final int FETCH_ADD = 7;
    static final int LOCAL_INVALIDATE = 8;
    public static final int RECEIVE = 9;
    static final int BIND_WINDOW = 10;

    public static final int SIGNALED = 0x01;
    public static final int FENCE = 0x02;
    public static final int SOLICITED = 0x04;

    /// Its first packet has left once, so that its sequence numbers are fixed.
    public static final int STARTED = 0x08;

    /// A datagram with a destination; it holds the path.
    static final int ADDRESSED = 0x10;

    /// A probe of the connection's own, which no completion reports.
    public static final int PROBE = 0x20;

    private static final CompletedOperation[] COMPLETED = {
        CompletedOperation.SEND,
        CompletedOperation.SEND,
        CompletedOperation.SEND,
        CompletedOperation.WRITE,
        CompletedOperation.WRITE,
        CompletedOperation.READ,
        CompletedOperation.COMPARE_SWAP,
        CompletedOperation.FETCH_ADD,
        CompletedOperation.LOCAL_INVALIDATE,
        CompletedOperation.RECEIVE,
        CompletedOperation.BIND_WINDOW
    };
    private static final String[] TITLES = {
        "SEND",
        "SEND with immediate",
        "SEND with invalidate",
        "WRITE",
        "WRITE with immediate",
        "READ",
        "compare and swap",
        "fetch and add",
        "local invalidate",
        "receive",
        "bind"
    };

    private Work() {}

    public static CompletedOperation completed(int kind) {
        return COMPLETED[kind];
    }

    static String title(int kind) {
        return TITLES[kind];
    }

    /// Whether a service supports it: unreliable connections lack operations that need a response,
    /// and datagrams support only SEND (IBA 9.2.1).
    public static boolean isIn(QueuePairType type, int kind) {
        return switch (type) {
            case RC -> true;
            case UC -> !isAnswered(kind) && kind != SEND_INVALIDATE;
            case UD -> kind <= SEND_IMMEDIATE || kind == RECEIVE;
        };
    }

    /// Whether it needs no packet.
    public static boolean isLocal(int kind) {
        return kind == LOCAL_INVALIDATE || kind == BIND_WINDOW;
    }

    public static boolean isAtomic(int kind) {
        return kind == COMPARE_SWAP || kind == FETCH_ADD;
    }

    /// Whether the peer answers with data: such requests count against the reads in flight.
    public static boolean isAnswered(int kind) {
        return kind == READ || isAtomic(kind);
    }

    /// Whether it uses up a receive request of the peer's.
    public static boolean usesReceive(int kind) {
        return kind <= SEND_INVALIDATE || kind == WRITE_IMMEDIATE;
    }

    /// Whether its local memory is the place for an answer.
    static boolean fillsLocal(int kind) {
        return isAnswered(kind) || kind == RECEIVE;
    }

    /// Whether its local memory may be given inline.
    static boolean takesInline(int kind) {
        return kind <= WRITE_IMMEDIATE;
    }
}
