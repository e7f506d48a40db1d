package dev.verbena.transport.reliable;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.common.Counters;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import dev.verbena.wire.PacketView;

/// Takes packets in their order only (IBA 9.7.5.1.1): one NAK names the missing packet, the others
/// behind the gap are dropped.
final class InOrder implements ReceiveOrder {
    private final Responder responder;

    /// A NAK for the expected packet is out; the ones behind it are not worth another.
    private boolean isNakSent;

    InOrder(Responder responder) {
        this.responder = responder;
    }

    @Override
    public boolean isSelective() {
        return false;
    }

    @Override
    public int write(Operation operation, PacketView view) {
        return responder.message.write(operation, view);
    }

    @Override
    public void reset() {
        isNakSent = false;
    }

    @Override
    public void ahead(long nowNs, InboundPacket packet) {
        Counters counters = responder.service.counters;
        counters.add(Counter.OUT_OF_SEQUENCE);
        if (isNakSent) {
            counters.add(Counter.SILENT_OUT_OF_SEQUENCE);
            return;
        }
        isNakSent = true;
        responder.responses.refuse(AethSyndrome.NAK_SEQUENCE, responder.expectedPsn());
    }

    @Override
    public void expected() {
        isNakSent = false;
    }

    /// Those behind it will be sent again with it.
    @Override
    public void refused() {
        isNakSent = true;
    }
}
