package dev.verbena.transport;

/// How many packets the wire of one direction carried, and what it did to them.
final class WireCounts {
    long sent;
    long delivered;
    long dropped;
    long duplicated;
    long reordered;
    long corrupted;
    long payloadBytes;

    void add(WireCounts other) {
        sent += other.sent;
        delivered += other.delivered;
        dropped += other.dropped;
        duplicated += other.duplicated;
        reordered += other.reordered;
        corrupted += other.corrupted;
        payloadBytes += other.payloadBytes;
    }
}
