package dev.verbena.transport.datagram;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.pair.ReceiveSide;
import dev.verbena.transport.work.TransportCompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.wire.Deth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.ImmDt;
import dev.verbena.wire.PacketView;

/// Receives datagrams (IBA 9.8.4): each is a message, from any sender that knows the queue key.
///
/// A datagram that does not fit is dropped and leaves its receive request posted. Otherwise any
/// sender could use up the receives with datagrams that are too long, or end the queue pair, as
/// with Linux rxe.
final class DatagramReceiver implements ReceiveSide {
    private final QueuePairCore pair;
    private final UnreliableService service;

    DatagramReceiver(QueuePairCore pair, UnreliableService service) {
        this.pair = pair;
        this.service = service;
    }

    @Override
    public void handle(long nowNs, InboundPacket packet) {
        PacketView view = packet.view();
        if (pair.receiveQueue().count() == 0) {
            service.counters.add(Counter.DROPPED_NO_RECEIVE);
            return;
        }
        int length = view.payloadLength();
        long whole = DatagramHeader.LENGTH + (long) length;
        if (length > 1 << pair.settings().mtuShift()
                || whole > service.holds.work.length(pair.receiveQueue().head())) {
            service.counters.add(Counter.DROPPED_LENGTH);
            return;
        }
        int slot = pair.takeReceive();
        boolean isGlobal = service.globalHeader.write(packet, pair.settings().seal());
        if ((isGlobal && !placeHeader(slot))
                || !service.holds.placement.scatter(slot, DatagramHeader.LENGTH, view)) {
            service.counters.add(Counter.LOCAL_PROTECTION);
            pair.reporter().failReceive(slot, CompletionStatus.LOCAL_PROTECTION_ERROR);
            pair.fail();
            return;
        }
        deliver(slot, packet, whole, isGlobal);
    }

    private boolean placeHeader(int slot) {
        GlobalHeader header = service.globalHeader;
        return service.holds.placement.scatter(
                slot, 0, header.bytes(), header.at(), DatagramHeader.LENGTH);
    }

    private void deliver(int slot, InboundPacket packet, long length, boolean isGlobal) {
        PacketView view = packet.view();
        int from = Deth.sourceQp(view.segment(), view.at(ExtendedHeader.DETH));
        int flags = isGlobal ? TransportCompletionQueue.GLOBAL : 0;
        int extra = 0;
        if (view.isSolicited()) {
            flags |= TransportCompletionQueue.SOLICITED;
        }
        if (view.has(ExtendedHeader.IMM_DT)) {
            flags |= TransportCompletionQueue.IMMEDIATE;
            extra = ImmDt.data(view.segment(), view.at(ExtendedHeader.IMM_DT));
        }
        service.counters.add(Counter.RECEIVED_DATAGRAMS);
        pair.reporter().completeDatagram(slot, length, flags, extra, from, packet);
    }

    @Override
    public void reset() {
        // Between two datagrams nothing is open.
    }

    @Override
    public void startAt(int psn) {
        // Datagrams are not counted.
    }

    @Override
    public void flushMessage() {
        // Between two datagrams nothing is open.
    }
}
