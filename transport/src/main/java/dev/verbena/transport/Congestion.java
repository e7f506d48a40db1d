package dev.verbena.transport;

import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Service;

/// The congestion handling of a device for its queue pairs (RoCE v2, annex A17.9.3): marks of
/// switches become notifications, and notifications slow a sender down.
final class Congestion {
    /// ECN bits (RFC 3168): a packet that may be marked, and one that was.
    static final int CAPABLE = 0b10;

    static final int EXPERIENCED = 0b11;

    private final Engine engine;

    Congestion(Engine engine) {
        this.engine = engine;
    }

    /// Looks at a packet that was admitted; returns whether it is a notification, and done with.
    boolean takes(TransportQueuePair pair, long nowNs, InboundPacket packet) {
        CongestionSettings settings = engine.options.congestion;
        if (packet.ecn() == EXPERIENCED && settings != null) {
            marked(pair, nowNs, settings);
        }
        if (packet.view().opcode().service() != Service.CNP) {
            return false;
        }
        notified(pair, nowNs);
        return true;
    }

    /// A packet of the queue pair's peer came with a mark.
    private void marked(TransportQueuePair pair, long nowNs, CongestionSettings settings) {
        engine.counters.add(Counter.RECEIVED_MARK);
        if (pair.type() == QueuePairType.UD) {
            return;
        }
        CongestionNotice notice = pair.notice;
        if (notice == null) {
            notice = new CongestionNotice(pair, engine, settings);
            pair.notice = notice;
        }
        notice.marked(nowNs, settings);
    }

    /// Whether a packet of ours can have been marked since the last notification: one is in flight,
    /// or was sent since. Else the notification is forged, or too late to matter.
    private static boolean mayBeMarked(TransportQueuePair pair) {
        boolean hasSent = pair.rate().takeSent();
        return hasSent || (pair.type() == QueuePairType.RC && pair.requester().isInFlight());
    }

    /// The peer of the queue pair reports that our packets arrived marked.
    private void notified(TransportQueuePair pair, long nowNs) {
        if (engine.options.congestion == null
                || pair.type() == QueuePairType.UD
                || !mayBeMarked(pair)) {
            engine.counters.add(Counter.IGNORED_NOTICE);
            return;
        }
        engine.counters.add(Counter.RECEIVED_NOTICE);
        pair.rate().congested(nowNs);
    }
}
