package dev.verbena.verbs;

/// Transport services that a queue pair can offer (IBA 3.2.6).
public enum QueuePairType {
    /// Reliable connection: every operation, in order, once.
    RC("reliable connection"),
    /// Unreliable connection: SEND and WRITE, in order, perhaps.
    UC("unreliable connection"),
    /// Unreliable datagram: SEND of one packet to anybody.
    UD("unreliable datagram");

    private final String title;

    QueuePairType(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }
}
