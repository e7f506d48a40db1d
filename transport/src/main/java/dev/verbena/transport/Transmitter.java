package dev.verbena.transport;

import org.jspecify.annotations.Nullable;

/// What takes turns at sending: a queue pair, or management.
abstract class Transmitter {
    /// The scheduler's: which ring it is in, and who follows.
    boolean isActive;

    int lane;
    @Nullable Transmitter nextActive;

    /// Sends one packet; returns its bytes, [TransportQueuePair#NOTHING] or
    /// [TransportQueuePair#TOO_LARGE].
    abstract int transmit(long nowNs, int budgetBytes, TransmitSink sink);

    /// Whether it is worth asking for another packet.
    abstract boolean mayHaveMore();
}
