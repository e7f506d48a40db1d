package dev.verbena.verbs;

/// Transport services of a queue pair (IBA 3.2.6).
public enum QueuePairType {
    /// Reliable connection: all operations, each delivered once and in order.
    RC(2, "reliable connection"),
    /// Unreliable connection: SEND and WRITE, in order, without guaranteed delivery.
    UC(3, "unreliable connection"),
    /// Unreliable datagram: SEND of one packet to any queue pair.
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
