package dev.verbena.fabric.manage;

/// What became of a datagram.
public enum Delivery {
    /// It has arrived; if it was a request to an agent, the answer has arrived too.
    ARRIVED("arrived"),
    MALFORMED("is no well-formed management datagram"),
    NO_LINK("its way leads over a port without a link"),
    NO_ROUTE("no table entry leads to its LID"),
    NOT_ACTIVE("its way leads over a port that is not active"),
    NO_RECEIVER("no program takes such datagrams there"),
    KEY("its M_Key is wrong"),
    LOOP("its way is longer than 64 hops");

    private final String reason;

    Delivery(String reason) {
        this.reason = reason;
    }

    public String reason() {
        return reason;
    }

    public boolean isOk() {
        return this == ARRIVED;
    }
}
