package dev.verbena.transport.schedule;

/// The events that a queue pair waits for, and their deadlines.
public final class Deadlines {
    /// How soon to look again for the answer to a request, where the carrier is behind.
    private static final long HEARING_NS = 1_000_000;

    private long retransmitNs = TimerQueue.NEVER;
    private long receiverReadyNs = TimerQueue.NEVER;
    private long acknowledgeNs = TimerQueue.NEVER;
    private long paceNs = TimerQueue.NEVER;

    public long of(TimerKind kind) {
        return switch (kind) {
            case RETRANSMIT -> retransmitNs;
            case RECEIVER_READY -> receiverReadyNs;
            case ACKNOWLEDGE -> acknowledgeNs;
            case PACE -> paceNs;
        };
    }

    public void set(TimerKind kind, long atNs) {
        switch (kind) {
            case RETRANSMIT -> retransmitNs = atNs;
            case RECEIVER_READY -> receiverReadyNs = atNs;
            case ACKNOWLEDGE -> acknowledgeNs = atNs;
            case PACE -> paceNs = atNs;
        }
    }

    /// Whether one is due; it is no longer waited for then.
    public boolean take(TimerKind kind, long nowNs) {
        if (of(kind) > nowNs) {
            return false;
        }
        set(kind, TimerQueue.NEVER);
        return true;
    }

    /// The earliest one, after those that are due were taken. One that is overdue is a request
    /// whose answer may wait to be read.
    public long next(long nowNs, long heardNs) {
        long others = Math.min(receiverReadyNs, Math.min(acknowledgeNs, paceNs));
        boolean isUnheard = retransmitNs > heardNs && retransmitNs <= nowNs;
        return Math.min(isUnheard ? nowNs + HEARING_NS : retransmitNs, others);
    }

    public void stop() {
        retransmitNs = TimerQueue.NEVER;
        receiverReadyNs = TimerQueue.NEVER;
        acknowledgeNs = TimerQueue.NEVER;
        paceNs = TimerQueue.NEVER;
    }
}
