package dev.verbena.transport.work;

import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.spi.WorkKind;
import java.util.function.Predicate;

/// Kinds and flags of work requests, as numbers that fit a [WorkSlab].
public final class Work {
    public static final int SEND = 0;
    static final int SEND_IMMEDIATE = 1;
    static final int SEND_INVALIDATE = 2;
    public static final int WRITE = 3;
    public static final int WRITE_IMMEDIATE = 4;
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

    /// By their numbers here; the numbers of the constants above are places in this list.
    private static final WorkKind[] KINDS = WorkKind.values();

    /// The rules of [WorkKind] as one bit for each kind: a test costs a shift.
    private static final int LOCAL = those(WorkKind::isLocal);

    private static final int ATOMIC = those(WorkKind::isAtomic);
    private static final int ANSWERED = those(WorkKind::isAnswered);
    private static final int USES_RECEIVE = those(WorkKind::usesReceive);
    private static final int IN_RC = those(kind -> kind.isIn(QueuePairType.RC));
    private static final int IN_UC = those(kind -> kind.isIn(QueuePairType.UC));
    private static final int IN_UD = those(kind -> kind.isIn(QueuePairType.UD));

    private Work() {}

    public static CompletedOperation completed(int kind) {
        return COMPLETED[kind];
    }

    private static int those(Predicate<WorkKind> rule) {
        int bits = 0;
        for (int kind = 0; kind < KINDS.length; kind++) {
            bits |= rule.test(KINDS[kind]) ? 1 << kind : 0;
        }
        return bits;
    }

    private static boolean isOne(int kinds, int kind) {
        return (kinds >>> kind & 1) != 0;
    }

    /// The kind with this number.
    static WorkKind kind(int kind) {
        return KINDS[kind];
    }

    public static boolean isIn(QueuePairType type, int kind) {
        int kinds =
                switch (type) {
                    case RC -> IN_RC;
                    case UC -> IN_UC;
                    case UD -> IN_UD;
                };
        return isOne(kinds, kind);
    }

    public static boolean isLocal(int kind) {
        return isOne(LOCAL, kind);
    }

    public static boolean isAtomic(int kind) {
        return isOne(ATOMIC, kind);
    }

    public static boolean isAnswered(int kind) {
        return isOne(ANSWERED, kind);
    }

    public static boolean usesReceive(int kind) {
        return isOne(USES_RECEIVE, kind);
    }
}
