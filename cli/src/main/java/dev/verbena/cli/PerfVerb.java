package dev.verbena.cli;

/// The operation that a test repeats; the titles are perftest's.
enum PerfVerb {
    WRITE("RDMA_Write"),
    READ("RDMA_Read"),
    SEND("Send"),
    ATOMIC("Atomic");

    private final String title;

    PerfVerb(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /// Whether the peer's program takes part, with a receive for every message.
    boolean needsReceives() {
        return this == SEND;
    }

    /// Whether the answer carries the data: perftest then counts a whole round trip.
    boolean isRoundTrip() {
        return this == READ || this == ATOMIC;
    }
}
