package dev.verbena.subnet.admin;

/// Where a datagram came from, or goes to.
public record Peer(int lid, int queuePair) {}
