package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Which counters stand for a check that stops an attack, and which do not; every counter is in one
/// of these lists.
final class AttackChecks {
    /// Each stops something, and each must be reached.
    static final Set<Counter> PROTECTING =
            EnumSet.of(
                    Counter.DROPPED_MALFORMED,
                    Counter.DROPPED_CORRUPT,
                    Counter.DROPPED_UNKNOWN_PAIR,
                    Counter.DROPPED_STATE,
                    Counter.DROPPED_SERVICE,
                    Counter.DROPPED_SOURCE,
                    Counter.DROPPED_PARTITION,
                    Counter.DROPPED_QUEUE_KEY,
                    Counter.DROPPED_GROUP,
                    Counter.DROPPED_MANAGEMENT,
                    Counter.REFUSED_MANAGEMENT,
                    Counter.REPEATED_MANAGEMENT,
                    Counter.STRAY_MANAGEMENT,
                    Counter.IGNORED_NOTICE,
                    Counter.DROPPED_NO_RECEIVE,
                    Counter.DROPPED_LENGTH,
                    Counter.BROKEN_MESSAGE,
                    Counter.SKIPPED_PACKET,
                    Counter.REFUSED_FORM,
                    Counter.REFUSED_ORDER,
                    Counter.REFUSED_OPERATION,
                    Counter.REFUSED_READS,
                    Counter.REFUSED_LENGTH,
                    Counter.REFUSED_ALIGNMENT,
                    Counter.DENIED_KEY,
                    Counter.DENIED_DOMAIN,
                    Counter.DENIED_RIGHT,
                    Counter.DENIED_BOUNDS,
                    Counter.DENIED_PAIR,
                    Counter.DENIED_INVALIDATE,
                    Counter.TOO_LONG_MESSAGE,
                    Counter.DUPLICATE_REQUEST,
                    Counter.FORGOTTEN_DUPLICATE,
                    Counter.OUT_OF_SEQUENCE,
                    Counter.SILENT_OUT_OF_SEQUENCE,
                    Counter.EARLY_DROPPED,
                    Counter.EARLY_DUPLICATE,
                    Counter.IGNORED_NAK,
                    Counter.GHOST_RESPONSE,
                    Counter.BAD_RESPONSE,
                    Counter.DROPPED_EVENT);

    /// What a packet can bring about; a stopped one brings about none of it.
    static final List<Counter> EFFECTS =
            List.of(
                    Counter.RECEIVED_MANAGEMENT,
                    Counter.RECEIVED_NOTICE,
                    Counter.RECEIVED_DATAGRAMS,
                    Counter.RECEIVED_SENDS,
                    Counter.RECEIVED_WRITES,
                    Counter.RECEIVED_READS,
                    Counter.RECEIVED_ATOMICS,
                    Counter.EARLY_PLACED,
                    Counter.INVALIDATED_BY_PEER,
                    Counter.REPLAYED_READ,
                    Counter.REPLAYED_ATOMIC);

    /// Neither: traffic, and what a requester, its program or a subnet manager does.
    private static final Set<Counter> OTHER =
            EnumSet.of(
                    Counter.SENT_PACKETS,
                    Counter.SENT_MANAGEMENT,
                    Counter.RECEIVED_MARK,
                    Counter.SENT_NOTICE,
                    Counter.SENT_BYTES,
                    Counter.RECEIVED_PACKETS,
                    Counter.SENT_ACK,
                    Counter.SENT_SACK,
                    Counter.RECEIVED_SACK,
                    Counter.COALESCED_ACK,
                    Counter.DELAYED_ACK,
                    Counter.SENT_READ_RESPONSE,
                    Counter.SENT_NAK_SEQUENCE,
                    Counter.SENT_RNR,
                    Counter.SENT_NAK_INVALID,
                    Counter.SENT_NAK_ACCESS,
                    Counter.SENT_NAK_OPERATION,
                    Counter.RETRANSMITTED,
                    Counter.ACK_TIMEOUT,
                    Counter.RECEIVED_NAK_SEQUENCE,
                    Counter.IMPLIED_NAK,
                    Counter.RECEIVED_RNR,
                    Counter.FAST_FORWARDED,
                    Counter.RESTARTED_READ,
                    Counter.TAIL_PROBE,
                    Counter.WINDOW_STALL,
                    Counter.DEVICE_WINDOW_STALL,
                    Counter.CREDIT_STALL,
                    Counter.CREDIT_PROBE,
                    Counter.FENCE_STALL,
                    Counter.READ_STALL,
                    Counter.PACE_STALL,
                    Counter.DRAIN_HOLD,
                    Counter.RETRY_EXCEEDED,
                    Counter.RNR_EXCEEDED,
                    Counter.REMOTE_INVALID,
                    Counter.REMOTE_ACCESS,
                    Counter.REMOTE_OPERATION,
                    Counter.LOCAL_PROTECTION,
                    Counter.LOCAL_INVALIDATED,
                    Counter.LOCAL_INVALIDATE_FAILED,
                    Counter.BOUND_WINDOW,
                    Counter.BIND_FAILED,
                    Counter.SEND_QUEUE_FAILED,
                    Counter.SHARED_LIMIT,
                    Counter.LAST_REQUEST,
                    Counter.FLUSHED_SEND,
                    Counter.FLUSHED_RECEIVE,
                    Counter.DRAINED,
                    Counter.ESTABLISHED_BY_PACKET,
                    Counter.COMPLETION_OVERRUN,
                    Counter.FAILED_LISTENER,
                    Counter.DROPPED_PORT,
                    Counter.UNSENT_PORT);

    private AttackChecks() {}

    /// Counters that are in no list: a new one must be added to one of them.
    static Set<Counter> unlisted() {
        EnumSet<Counter> rest = EnumSet.allOf(Counter.class);
        rest.removeAll(PROTECTING);
        rest.removeAll(EFFECTS);
        rest.removeAll(OTHER);
        return rest;
    }
}
