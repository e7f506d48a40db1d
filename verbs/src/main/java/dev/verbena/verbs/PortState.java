package dev.verbena.verbs;

/// Logical state of a port, in the order in which the subnet manager sets it (IBA 7.2.7).
public enum PortState {
    DOWN(1),
    INITIALIZE(2),
    ARMED(3),
    ACTIVE(4),
    /// The port was active; its link is in error recovery.
    ACTIVE_DEFER(5);

    private final int code;

    PortState(int code) {
        this.code = code;
    }

    /// The number that management datagrams and libibverbs use.
    public int code() {
        return code;
    }
}
