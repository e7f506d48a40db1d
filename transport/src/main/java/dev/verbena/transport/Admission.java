package dev.verbena.transport;

import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Deth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Pkey;
import dev.verbena.wire.Service;
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
        boolean isDatagram = pair.type() == QueuePairType.UD;
        // Whoever has a peer can be told of congestion by it.
        boolean isNotice =
                view.opcode().service() == Service.CNP
                        && packet.verdict() == Verdict.OK
                        && !isDatagram;
        if (view.opcode().service() != Packets.service(pair.type()) && !isNotice) {
            return dropped(Counter.DROPPED_SERVICE);
        }
        if (!isDatagram && !pair.connected().isFrom(packet)) {
            return dropped(Counter.DROPPED_SOURCE);
        }
        if (!Pkey.match(pair.partitionKey, view.pkey())) {
            return dropped(Counter.DROPPED_PARTITION);
        }
        return !isDatagram || admitsDatagram(pair, packet);
    }

    private boolean admitsDatagram(TransportQueuePair pair, InboundPacket packet) {
        PacketView view = packet.view();
        if (packet.verdict() != Verdict.OK) {
            return dropped(Counter.REFUSED_FORM);
        }
        // A program that answers must not be made to answer a group, or nobody.
        if (packet.isFromNobody()) {
            return dropped(Counter.DROPPED_SOURCE);
        }
        // IBA 10.2.5: whoever does not know the key is not heard.
        if (Deth.qkey(view.segment(), view.at(ExtendedHeader.DETH)) != pair.queueKey) {
            return dropped(Counter.DROPPED_QUEUE_KEY);
        }
        return true;
    }

    private boolean dropped(Counter reason) {
        counters.add(reason);
        return false;
    }
}
