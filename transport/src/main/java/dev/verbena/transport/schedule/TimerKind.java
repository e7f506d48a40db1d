package dev.verbena.transport.schedule;

/// The events that a queue pair can wait for.
public enum TimerKind {
    /// When to take the oldest unacknowledged packet for lost.
    RETRANSMIT,
    /// When to try again after the peer had no receive request.
    RECEIVER_READY,
    /// When to send an acknowledgement that was held back.
    ACKNOWLEDGE,
    /// When the rate limit allows the next packet.
    PACE
}
