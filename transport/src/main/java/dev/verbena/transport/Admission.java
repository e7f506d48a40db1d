package dev.verbena.transport;

import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Deth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Pkey;
import dev.verbena.wire.Verdict;

/// What must be true of a packet before its queue pair looks at it (IBA 9.6.1); else it is dropped,
/// and nobody is told.
final class Admission {
    private final Counters counters;

    Admission(Counters counters) {
        this.counters = counters;
    }

    boolean admits(TransportQueuePair pair, InboundPacket packet) {
        PacketView view = packet.view();
        if (!pair.state().answers()) {
            return dropped(Counter.DROPPED_STATE);
        }
        if (view.opcode().service() != Packets.service(pair.type())) {
            return dropped(Counter.DROPPED_SERVICE);
        }
        boolean isDatagram = pair.type() == QueuePairType.UD;
        if (!isDatagram && !pair.connected().isFrom(packet)) {
            return dropped(Counter.DROPPED_SOURCE);
        }
        if (!Pkey.match(pair.partitionKey, view.pkey())) {
            return dropped(Counter.DROPPED_PARTITION);
        }
        if (isDatagram && !showsQueueKey(pair, packet)) {
            return dropped(Counter.DROPPED_QUEUE_KEY);
        }
        return true;
    }

    /// A packet without the header cannot show it, and is refused for its form later.
    private static boolean showsQueueKey(TransportQueuePair pair, InboundPacket packet) {
        PacketView view = packet.view();
        return packet.verdict() != Verdict.OK
                || Deth.qkey(view.segment(), view.at(ExtendedHeader.DETH)) == pair.queueKey;
    }

    private boolean dropped(Counter reason) {
        counters.add(reason);
        return false;
    }
}
