package dev.verbena.transport.reliable;

import dev.verbena.transport.carrier.InboundPacket;

/// What one responder does with packets that come before those in front of them.
interface ReceiveOrder {
    /// Starts anew.
    void reset();

    /// A packet came while an earlier one is missing.
    void ahead(long nowNs, InboundPacket packet);

    /// The packet that is expected next came.
    void expected();

    /// The packet that is expected next was refused for now, and will come again.
    void refused();
}
