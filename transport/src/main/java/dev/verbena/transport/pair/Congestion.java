package dev.verbena.transport.pair;

import dev.verbena.transport.carrier.CongestionSettings;
import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.common.Counters;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.control.ControlChoice;
import dev.verbena.transport.path.PathTable;
import dev.verbena.transport.schedule.Scheduler;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Service;
import org.jspecify.annotations.Nullable;

/// The congestion handling of a device for its queue pairs (RoCE v2, annex A17.9.3): marks of
/// switches become notifications, and notifications slow a sender down.
public final class Congestion {
    /// ECN bits (RFC 3168): a packet that may be marked, and one that was.
    public static final int CAPABLE = 0b10;

    public static final int EXPERIENCED = 0b11;

    /// The usual DSCP of notifications.
    private static final int NOTICE_DSCP = 48;

    /// Whether there is control at all, whether marks are echoed, and how senders are notified.
    private final boolean isOn;

    private final boolean isEchoing;
    private final CongestionSettings.@Nullable Notice how;
    final Counters counters;
    final PathTable paths;
    final Scheduler scheduler;

    /// When the port may send its next notification, where they are counted for all queue pairs.
    long nextNoticeNs = Long.MIN_VALUE;

    public Congestion(
            DeviceSettings settings, Counters counters, PathTable paths, Scheduler scheduler) {
        CongestionSettings dcqcn = settings.congestion;
        ControlChoice other = settings.control;
        isOn = dcqcn != null || other != null;
        isEchoing = dcqcn == null && other != null;
        long everyNs = other == null ? 0 : other.provider().noticeEveryNs();
        if (dcqcn != null) {
            how = dcqcn.notice();
        } else {
            how = everyNs > 0 ? new CongestionSettings.Notice(everyNs, false, NOTICE_DSCP) : null;
        }
        this.counters = counters;
        this.paths = paths;
        this.scheduler = scheduler;
    }

    /// Looks at a packet that was admitted; returns whether it is a notification, and done with.
    public boolean takes(QueuePairCore pair, long nowNs, InboundPacket packet) {
        if (packet.ecn() == EXPERIENCED && isOn) {
            marked(pair, nowNs);
        }
        if (packet.view().opcode().service() != Service.CNP) {
            return false;
        }
        notified(pair, nowNs);
        return true;
    }

    /// A packet of the queue pair's peer came with a mark.
    private void marked(QueuePairCore pair, long nowNs) {
        counters.add(Counter.RECEIVED_MARK);
        if (pair.type() == QueuePairType.UD) {
            return;
        }
        if (isEchoing && pair.type() == QueuePairType.RC) {
            pair.owesMark = true;
        }
        if (how == null) {
            return;
        }
        CongestionNotice notice = pair.notice;
        if (notice == null) {
            notice = new CongestionNotice(pair, this, how);
            pair.notice = notice;
        }
        notice.marked(nowNs, how);
    }

    /// Whether a packet of ours can have been marked since the last notification: one is in flight,
    /// or was sent since. Else the notification is forged, or too late to matter.
    private static boolean mayBeMarked(QueuePairCore pair) {
        boolean hasSent = pair.rate().takeSent();
        return hasSent || pair.sender().isInFlight();
    }

    /// The peer of the queue pair reports that our packets arrived marked.
    private void notified(QueuePairCore pair, long nowNs) {
        if (!isOn || pair.type() == QueuePairType.UD || !mayBeMarked(pair)) {
            counters.add(Counter.IGNORED_NOTICE);
            return;
        }
        counters.add(Counter.RECEIVED_NOTICE);
        pair.rate().congested(nowNs);
    }
}
