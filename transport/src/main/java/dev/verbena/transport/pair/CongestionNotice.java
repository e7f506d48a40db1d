package dev.verbena.transport.pair;

import dev.verbena.transport.carrier.CongestionSettings;
import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.carrier.Seal;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.schedule.Transmitter;
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

    private final QueuePairCore pair;
    private final Congestion device;
    private final Path way;
    private boolean isDue;
    private long nextNs = Long.MIN_VALUE;

    CongestionNotice(QueuePairCore pair, Congestion device, CongestionSettings.Notice how) {
        this.pair = pair;
        this.device = device;
        Address peer = pair.connected().address();
        way = device.paths.acquire(peer.withTrafficClass(how.dscp() << DSCP_SHIFT));
        lane = way.trafficClass();
    }

    /// A marked packet has come.
    void marked(long nowNs, CongestionSettings.Notice how) {
        long earliestNs = how.isPerPort() ? device.nextNoticeNs : nextNs;
        if (!isDue && nowNs >= earliestNs) {
            isDue = true;
            nextNs = nowNs + how.everyNs();
            device.nextNoticeNs = nextNs;
            device.scheduler.activate(this);
        }
    }

    /// Its queue pair has another peer, or none.
    void end() {
        isDue = false;
        device.scheduler.remove(this);
        device.paths.release(way.index());
    }

    @Override
    public int transmit(long nowNs, int budgetBytes, TransmitSink sink) {
        if (!isDue) {
            return Transmitter.NOTHING;
        }
        Seal seal = pair.settings().seal();
        int length = Bth.LENGTH + Cnp.RESERVED_BYTES + seal.length();
        if (length > budgetBytes) {
            return Transmitter.TOO_LARGE;
        }
        isDue = false;
        OutboundPacket packet = sink.next();
        packet.begin(way, pair.number(), 0, Bth.LENGTH, seal);
        Cnp.putHeader(
                packet.header(),
                packet.headerAt(),
                pair.settings().partitionKey(),
                pair.settings().peer());
        packet.piece(ZEROS, 0, Cnp.RESERVED_BYTES);
        device.counters.add(Counter.SENT_NOTICE);
        Packets.finish(device.counters, sink, packet);
        return length;
    }

    @Override
    public boolean mayHaveMore() {
        return isDue;
    }
}
