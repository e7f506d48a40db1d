package dev.verbena.transport.reliable;

import dev.verbena.transport.common.Counters;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.pair.ReceiveSide;
import dev.verbena.transport.pair.RequestWriter;
import dev.verbena.transport.pair.SendSide;
import dev.verbena.transport.pair.WritePacket;
import dev.verbena.transport.work.WorkHolds;
import org.jspecify.annotations.Nullable;

/// Reliable connections of a device: makes the halves of their queue pairs, and holds what these
/// share.
public final class ReliableService {
    final DeviceSettings settings;
    final Counters counters;
    final WorkHolds holds;
    final RequestWriter requestWriter;
    final ResponseWriter responseWriter;
    public final DeviceWindow window;
    final Completer completer;
    final TailProbe probe;

    /// The packet that a responder has in hand.
    final WritePacket write = new WritePacket();

    public ReliableService(DeviceSettings settings, WorkHolds holds, RequestWriter requestWriter) {
        this.settings = settings;
        this.counters = holds.counters;
        this.holds = holds;
        this.requestWriter = requestWriter;
        responseWriter = new ResponseWriter(holds.memory, holds.placement);
        window = new DeviceWindow(settings.windowInAll);
        completer = new Completer(holds, settings.readPackets);
        probe = new TailProbe(holds.work, requestWriter, settings.readPackets, counters);
    }

    /// What a queue pair does about lost packets, by what it has agreed on with its peer: what it
    /// did before, where that still holds.
    LossRecovery recovery(Requester requester, @Nullable LossRecovery before) {
        boolean isSelective = requester.pair.settings().isSelective();
        if (before != null && before.isSelective() == isSelective) {
            return before;
        }
        return isSelective ? new SelectiveRepeat(requester) : new GoBackN(requester);
    }

    /// What a queue pair does with packets that come too early.
    ReceiveOrder order(Responder responder, @Nullable ReceiveOrder before) {
        boolean isSelective = responder.pair.settings().isSelective();
        if (before != null && before.isSelective() == isSelective) {
            return before;
        }
        return isSelective ? new AnyOrder(responder) : new InOrder(responder);
    }

    public SendSide sender(QueuePairCore pair) {
        return new Requester(pair, this, pair.sendQueue());
    }

    public ReceiveSide receiver(QueuePairCore pair) {
        return new Responder(pair, this);
    }
}
