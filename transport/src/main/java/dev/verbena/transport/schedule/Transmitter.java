package dev.verbena.transport.schedule;

import dev.verbena.transport.carrier.TransmitSink;
import org.jspecify.annotations.Nullable;

/// A sender that takes turns: a queue pair, or management.
public abstract class Transmitter {
    /// Answers of a sender: no packet now, or none that fits.
    public static final int NOTHING = 0;

    public static final int TOO_LARGE = -1;

    /// Used by the scheduler: the ring that this sender is in, and the next one in it.
    public boolean isActive;

    public int lane;
    @Nullable Transmitter nextActive;

    /// Sends one packet; returns its bytes, [#NOTHING] or [#TOO_LARGE].
    public abstract int transmit(long nowNs, int budgetBytes, TransmitSink sink);

    /// Whether it is worth asking for another packet.
    public abstract boolean mayHaveMore();
}
