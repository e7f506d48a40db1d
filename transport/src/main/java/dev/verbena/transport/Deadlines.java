package dev.verbena.transport;

/// The events that a queue pair waits for, and their deadlines.
final class Deadlines {
    private long retransmitNs = TimerQueue.NEVER;
    private long receiverReadyNs = TimerQueue.NEVER;
    private long acknowledgeNs = TimerQueue.NEVER;
    private long paceNs = TimerQueue.NEVER;

    long of(TimerKind kind) {
        return switch (kind) {
            case RETRANSMIT -> retransmitNs;
            case RECEIVER_READY -> receiverReadyNs;
            case ACKNOWLEDGE -> acknowledgeNs;
            case PACE -> paceNs;
        };
    }

    void set(TimerKind kind, long atNs) {
        switch (kind) {
            case RETRANSMIT -> retransmitNs = atNs;
            case RECEIVER_READY -> receiverReadyNs = atNs;
            case ACKNOWLEDGE -> acknowledgeNs = atNs;
            case PACE -> paceNs = atNs;
        }
    }

    /// Whether one is due; it is no longer waited for then.
    boolean take(TimerKind kind, long nowNs) {
        if (of(kind) > nowNs) {
            return false;
        }
        set(kind, TimerQueue.NEVER);
        return true;
    }

    long earliest() {
        return Math.min(Math.min(retransmitNs, receiverReadyNs), Math.min(acknowledgeNs, paceNs));
    }

    void stop() {
        retransmitNs = TimerQueue.NEVER;
        receiverReadyNs = TimerQueue.NEVER;
        acknowledgeNs = TimerQueue.NEVER;
        paceNs = TimerQueue.NEVER;
    }
}
