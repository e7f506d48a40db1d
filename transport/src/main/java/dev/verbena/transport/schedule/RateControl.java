package dev.verbena.transport.schedule;

import dev.verbena.transport.carrier.CongestionSettings;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.control.ControlChoice;
import dev.verbena.verbs.QueuePairType;

/// Decides when and how much a queue pair may send: a fixed rate, or congestion control.
///
/// It is informed of sent, acknowledged, marked and lost packets, and returns a time, a window, and
/// how long an answer may take.
public interface RateControl {
    /// No limit at all.
    RateControl UNLIMITED = new RateControl() {};

    /// For a queue pair with packets of this size and this limit of its own, or 0. Datagrams have
    /// no peer that could notify them of congestion, and only reliable queue pairs have
    /// acknowledgements to measure by.
    static RateControl of(DeviceSettings settings, QueuePairType type, int mtu, long limit) {
        CongestionSettings congestion = settings.congestion;
        ControlChoice control = settings.control;
        if (control != null && type == QueuePairType.RC) {
            return new Controlled(control.make(mtu, limit), mtu);
        }
        if (congestion != null && type != QueuePairType.UD) {
            return new Dcqcn(congestion, limit, settings.catchUpNs);
        }
        return limit == 0 ? UNLIMITED : new Pacer(limit, settings.catchUpNs);
    }

    /// The earliest time for the next packet. When it comes, this is asked again: the rate may have
    /// changed while nothing was sent.
    default long earliestNs(long nowNs) {
        return Long.MIN_VALUE;
    }

    /// Packets that may be unacknowledged, in addition to the queue pair's own limit.
    default int windowPackets() {
        return Integer.MAX_VALUE;
    }

    /// There is something to send again, after there was nothing.
    default void resumed(long nowNs) {}

    default void sent(long nowNs, int bytes) {}

    /// Whether something was sent since this was asked last.
    default boolean takeSent() {
        return true;
    }

    /// `packets` were acknowledged; `isMarked` says whether the peer echoes a mark.
    default void acknowledged(long nowNs, int packets, boolean isMarked) {}

    /// An acknowledgement was asked for that covers all `outstanding` packets.
    default void asked(long nowNs, int outstanding) {}

    /// How long to wait for an answer before the last packet is sent once more; as long as the
    /// queue pair waits where that is not done.
    default long patienceNs(long nowNs, long timeoutNs) {
        return timeoutNs;
    }

    /// No answer came in that time: how much longer to wait after asking again, or 0 when the
    /// packets are to be taken for lost.
    default long morePatienceNs(long nowNs) {
        return 0;
    }

    /// How often the rate or window was reduced because of congestion.
    default long cuts() {
        return 0;
    }

    /// Packets in flight will be sent again, for whatever reason.
    default void wentBack() {}

    /// The peer or the network reports congestion.
    default void congested(long nowNs) {}

    /// A packet is taken for lost.
    default void lost(long nowNs) {}
}
