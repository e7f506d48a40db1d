package dev.verbena.transport;

import dev.verbena.wire.Psn;

/// Sends the last packet in flight once more, so that the peer says what is missing.
///
/// Whatever it is, the peer answers it as the specification demands (IBA 9.7.5.1.1 to 9.7.5.1.5):
/// with an acknowledgement of all it has, with the data once more, or with a NAK for a missing
/// packet. Of a READ the part of its last piece that has not come is asked for: Linux rxe refuses a
/// repetition that begins before an earlier one did.
final class TailProbe {
    private final Engine engine;

    TailProbe(Engine engine) {
        this.engine = engine;
    }

    /// Returns its bytes, or why there is none.
    int transmit(Requester requester, long nowNs, int budgetBytes, TransmitSink sink) {
        WorkSlab work = engine.work;
        RequestWriter writer = engine.requestWriter;
        TransportQueuePair pair = requester.pair;
        if (!requester.isInFlight() || !pair.sendsRequests()) {
            requester.probed();
            return TransportQueuePair.NOTHING;
        }
        if (!pair.isPaced(nowNs)) {
            return TransportQueuePair.NOTHING;
        }
        int slot = requester.newestSent();
        int first = work.firstPsn(slot);
        int last = Psn.plus(requester.unackedPsn(), requester.outstanding() - 1);
        int index = Psn.plus(last, -first);
        if (work.kind(slot) == Work.READ) {
            int come = Math.max(0, Psn.distance(requester.unackedPsn(), first));
            index = Math.max(come, index - index % engine.options.readPackets);
        }
        int length = writer.choose(pair, slot, index);
        if (length > budgetBytes) {
            return TransportQueuePair.TOO_LARGE;
        }
        OutboundPacket out = sink.next();
        requester.probed();
        if (!writer.write(out, pair, Psn.plus(first, index), true)) {
            // Its memory is gone; that is found out when it is sent again as a whole.
            return TransportQueuePair.NOTHING;
        }
        engine.counters.add(Counter.TAIL_PROBE);
        pair.paced(nowNs, length);
        Packets.finish(engine, sink, out);
        return length;
    }
}
