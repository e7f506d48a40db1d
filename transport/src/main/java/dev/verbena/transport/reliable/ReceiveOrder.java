package dev.verbena.transport.reliable;

import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.wire.Operation;
import dev.verbena.wire.PacketView;

/// What one responder does with packets that come before those in front of them.
interface ReceiveOrder {
    /// Whether it keeps what comes early.
    boolean isSelective();

    /// Starts anew, from the number that is expected now.
    void reset();

    /// A packet came while an earlier one is missing.
    void ahead(long nowNs, InboundPacket packet);

    /// The packet that is expected next came.
    void expected();

    /// Carries out a packet of a WRITE that is expected now; returns what
    /// [dev.verbena.transport.pair.InboundMessage] does.
    int write(Operation operation, PacketView view);

    /// The packet that was expected is carried out.
    default void advanced(long nowNs) {}

    /// The packet that is expected next was refused for now, and will come again.
    void refused();

    /// Whether the next acknowledgement names packets before their turn.
    default boolean hasEarly() {
        return false;
    }
}
