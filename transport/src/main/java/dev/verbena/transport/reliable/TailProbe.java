package dev.verbena.transport.reliable;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.common.Counters;
import dev.verbena.transport.pair.Packets;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.pair.RequestWriter;
import dev.verbena.transport.schedule.Transmitter;
import dev.verbena.transport.work.Work;
import dev.verbena.transport.work.WorkSlab;
import dev.verbena.wire.Psn;

/// Sends the last packet in flight once more, so that the peer says what is missing.
///
/// Whatever it is, the peer answers it as the specification demands (IBA 9.7.5.1.1 to 9.7.5.1.5):
/// with an acknowledgement of all it has, with the data once more, or with a NAK for a missing
/// packet. Of a READ the part of its last piece that has not come is asked for: Linux rxe refuses a
/// repetition that begins before an earlier one did.
final class TailProbe {
    private final WorkSlab work;
    private final RequestWriter writer;
    private final int readPackets;
    private final Counters counters;

    TailProbe(WorkSlab work, RequestWriter writer, int readPackets, Counters counters) {
        this.work = work;
        this.writer = writer;
        this.readPackets = readPackets;
        this.counters = counters;
    }

    /// Returns its bytes, or why there is none.
    int transmit(Requester requester, long nowNs, int budgetBytes, TransmitSink sink) {
        QueuePairCore pair = requester.pair;
        if (!requester.isInFlight() || !pair.sendsRequests()) {
            requester.probed();
            return Transmitter.NOTHING;
        }
        if (!pair.isPaced(nowNs)) {
            return Transmitter.NOTHING;
        }
        int slot = newest(requester);
        int first = work.firstPsn(slot);
        int last = Psn.plus(requester.unackedPsn(), requester.recovery().outstanding() - 1);
        int index = Psn.plus(last, -first);
        if (work.kind(slot) == Work.READ) {
            int come = Math.max(0, Psn.distance(requester.unackedPsn(), first));
            index = Math.max(come, index - index % readPackets);
        }
        int length = writer.choose(pair, slot, index);
        if (length > budgetBytes) {
            return Transmitter.TOO_LARGE;
        }
        OutboundPacket out = sink.next();
        requester.probed();
        if (!writer.write(out, pair, Psn.plus(first, index), true)) {
            // Its memory is gone; that is found out when it is sent again as a whole.
            return Transmitter.NOTHING;
        }
        counters.add(Counter.TAIL_PROBE);
        pair.paced(nowNs, length);
        Packets.finish(counters, sink, out);
        return length;
    }

    /// The request of the last packet in flight.
    private int newest(Requester requester) {
        int slot = requester.oldest();
        int end = Psn.plus(requester.unackedPsn(), requester.recovery().outstanding());
        while (Psn.plus(end, -work.firstPsn(slot)) > requester.packetsOf(slot)) {
            slot = work.next(slot);
        }
        return slot;
    }
}
