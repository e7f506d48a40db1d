package dev.verbena.transport;

import org.jspecify.annotations.Nullable;

/// A sender that takes turns: a queue pair, or management.
abstract class Transmitter {
    /// Used by the scheduler: the ring that this sender is in, and the next one in it.
    boolean isActive;

    int lane;
    @Nullable Transmitter nextActive;

    /// Sends one packet; returns its bytes, [TransportQueuePair#NOTHING] or
    /// [TransportQueuePair#TOO_LARGE].
    abstract int transmit(long nowNs, int budgetBytes, TransmitSink sink);

    /// Whether it is worth asking for another packet.
    abstract boolean mayHaveMore();
}
