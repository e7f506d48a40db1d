package dev.verbena.transport;

import dev.verbena.verbs.Address;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Cnp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// DCQCN's notification point: notifies one peer that its packets arrived marked, at most once per
/// interval.
///
/// It is created when the first marked packet arrives. Notifications have a priority of their own,
/// so that they do not wait behind the packets that cause the congestion.
final class CongestionNotice extends Transmitter {
    private static final MemorySegment ZEROS =
            Arena.global().allocate(Cnp.RESERVED_BYTES, Long.BYTES);
    private static final int DSCP_SHIFT = 2;

    private final TransportQueuePair pair;
    private final Engine engine;
    private final Path way;
    private boolean isDue;
    private long nextNs = Long.MIN_VALUE;

    CongestionNotice(TransportQueuePair pair, Engine engine, CongestionSettings settings) {
        this.pair = pair;
        this.engine = engine;
        Address peer = pair.connected().address();
        way = engine.paths.acquire(peer.withTrafficClass(settings.noticeDscp() << DSCP_SHIFT));
        lane = way.trafficClass();
    }

    /// A marked packet has come.
    void marked(long nowNs, CongestionSettings settings) {
        if (!isDue && nowNs >= nextNs) {
            isDue = true;
            nextNs = nowNs + settings.noticeEveryNs();
            engine.scheduler.activate(this);
        }
    }

    /// Its queue pair has another peer, or none.
    void end() {
        isDue = false;
        engine.scheduler.remove(this);
        engine.paths.release(way.index());
    }

    @Override
    int transmit(long nowNs, int budgetBytes, TransmitSink sink) {
        if (!isDue) {
            return TransportQueuePair.NOTHING;
        }
        if (Cnp.TRANSPORT_LENGTH > budgetBytes) {
            return TransportQueuePair.TOO_LARGE;
        }
        isDue = false;
        OutboundPacket packet = sink.next();
        packet.clear();
        packet.path = way;
        packet.queuePair = pair.number();
        packet.headerLength = Bth.LENGTH;
        Cnp.putHeader(packet.header(), packet.headerAt(), pair.partitionKey, pair.peer);
        packet.piece(ZEROS, 0, Cnp.RESERVED_BYTES);
        engine.counters.add(Counter.SENT_NOTICE);
        Packets.finish(engine, sink, packet);
        return Cnp.TRANSPORT_LENGTH;
    }

    @Override
    boolean mayHaveMore() {
        return isDue;
    }
}
