package dev.verbena.verbs;

/// Transport services that a queue pair can offer (IBA 3.2.6).
public enum QueuePairType {
    /// Reliable connection: every operation, in order, once.
    RC(2, "reliable connection"),
    /// Unreliable connection: SEND and WRITE, in order, perhaps.
    UC(3, "unreliable connection"),
    /// Unreliable datagram: SEND of one packet to anybody.
    UD(4, "unreliable datagram");

    private final int code;
    private final String title;

    QueuePairType(int code, String title) {
        this.code = code;
        this.title = title;
    }

    /// The number of libibverbs' `ibv_qp_type`.
    public int code() {
        return code;
    }

    public String title() {
        return title;
    }
}
