package dev.verbena.transport.datagram;

import dev.verbena.transport.common.Counters;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.pair.ReceiveSide;
import dev.verbena.transport.pair.RequestWriter;
import dev.verbena.transport.pair.SendSide;
import dev.verbena.transport.work.WorkHolds;
import dev.verbena.verbs.QueuePairType;

/// Unreliable connections and datagrams of a device: makes the halves of their queue pairs, and
/// holds what these share.
public final class UnreliableService {
    final Counters counters;
    final WorkHolds holds;
    final RequestWriter requestWriter;
    final GlobalHeader globalHeader;

    public UnreliableService(
            DeviceSettings settings, WorkHolds holds, RequestWriter requestWriter) {
        this.counters = holds.counters;
        this.holds = holds;
        this.requestWriter = requestWriter;
        globalHeader = new GlobalHeader(settings.port.now().attributes().linkLayer());
    }

    public SendSide sender(QueuePairCore pair) {
        return new UnreliableSender(pair, this, pair.sendQueue());
    }

    public ReceiveSide receiver(QueuePairCore pair) {
        return pair.type() == QueuePairType.UD
                ? new DatagramReceiver(pair, this)
                : new UnreliableReceiver(pair, this);
    }
}
