package dev.verbena.transport.pair;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.common.Counters;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Deth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Pkey;
import dev.verbena.wire.Service;
import dev.verbena.wire.Verdict;

/// The checks that a packet must pass before its queue pair processes it (IBA 9.6.1). A packet that
/// fails is dropped without a reply.
public final class Admission {
    private final Counters counters;

    public Admission(Counters counters) {
        this.counters = counters;
    }

    public boolean admits(QueuePairCore pair, InboundPacket packet) {
        PacketView view = packet.view();
        if (!pair.state().answers()) {
            return dropped(Counter.DROPPED_STATE);
        }
        boolean isDatagram = pair.type() == QueuePairType.UD;
        // A queue pair with a peer accepts congestion notifications from it.
        boolean isNotice =
                view.opcode().service() == Service.CNP
                        && packet.verdict() == Verdict.OK
                        && !isDatagram;
        if (view.opcode().service() != Packets.service(pair.type())
                && !isNotice
                && !isSelective(pair, view)) {
            return dropped(Counter.DROPPED_SERVICE);
        }
        if (!isDatagram && !pair.connected().isFrom(packet)) {
            return dropped(Counter.DROPPED_SOURCE);
        }
        if (!Pkey.match(pair.settings().partitionKey(), view.pkey())) {
            return dropped(Counter.DROPPED_PARTITION);
        }
        if (!pair.settings().seal().isWhole(packet)) {
            return dropped(Counter.DROPPED_CORRUPT);
        }
        return !isDatagram || admitsDatagram(pair, packet);
    }

    /// Whether it has one of our own opcodes, which both sides have agreed on.
    private static boolean isSelective(QueuePairCore pair, PacketView view) {
        return pair.settings().isSelective() && view.opcode().service() == Service.MANUFACTURER_6;
    }

    private boolean admitsDatagram(QueuePairCore pair, InboundPacket packet) {
        PacketView view = packet.view();
        if (packet.verdict() != Verdict.OK) {
            return dropped(Counter.REFUSED_FORM);
        }
        // A program that replies must not be made to reply to a group, or to a null GID.
        if (packet.isFromNobody()) {
            return dropped(Counter.DROPPED_SOURCE);
        }
        // IBA 10.2.5: a datagram without the right queue key is dropped.
        if (Deth.qkey(view.segment(), view.at(ExtendedHeader.DETH)) != pair.settings().queueKey()) {
            return dropped(Counter.DROPPED_QUEUE_KEY);
        }
        return true;
    }

    private boolean dropped(Counter reason) {
        counters.add(reason);
        return false;
    }
}
