package dev.verbena.transport.cm;

/// Where a connection stands (IBA 12.9.7).
public enum CmState {
    /// The active side waits for a REP.
    REQ_SENT,
    /// The passive side's program has not decided yet.
    REQ_RECEIVED,
    /// The passive side waits for an RTU, or for a first packet.
    REP_SENT,
    /// The active side's queue pair is not ready yet.
    REP_RECEIVED,
    ESTABLISHED,
    /// Told the peer that it is over, and waits for the answer.
    DREQ_SENT,
    /// Over; kept for as long as packets of it may be under way.
    TIME_WAIT,
    /// Forgotten.
    CLOSED;

    /// Whether the peer could still take it for a connection.
    boolean isConnected() {
        return this == REP_SENT || this == REP_RECEIVED || this == ESTABLISHED;
    }
}
