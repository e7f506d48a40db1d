package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePairAttribute;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;

/// `struct ibv_qp_attr` and `struct ibv_ah_attr`, to and from the transport's attributes.
final class Attributes {
    private static final int SMALLEST_MTU = 128;
    private static final int BITS_PER_KILOBIT = 1000;
    private static final CStruct ATTR = Layouts.QP_ATTR;

    private Attributes() {}

    static QueuePairState state(int code) {
        for (QueuePairState state : QueuePairState.values()) {
            if (state.code() == code) {
                return state;
            }
        }
        throw new Refusal(Refusal.EINVAL);
    }

    /// The attributes that a mask names.
    static QueuePairAttributes read(long at, int mask) {
        QueuePairAttributes values = new QueuePairAttributes();
        int known = 1;
        for (QueuePairAttribute attribute : QueuePairAttribute.values()) {
            int bit = 1 << attribute.code();
            known |= bit;
            if ((mask & bit) != 0) {
                read(at, attribute, values);
            }
        }
        Refusal.unless((mask & ~known) == 0, Refusal.EINVAL);
        return values;
    }

    private static void read(long at, QueuePairAttribute which, QueuePairAttributes values) {
        switch (which) {
            case CURRENT_STATE -> values.currentState(state(ATTR.getInt(at, "cur_qp_state")));
            case DRAIN_NOTIFY -> values.drainNotify(ATTR.get(at, "en_sqd_async_notify") != 0);
            case ACCESS -> values.access(DriverRegion.rights(ATTR.getInt(at, "qp_access_flags")));
            case PARTITION_INDEX -> values.partitionIndex(ATTR.getInt(at, "pkey_index"));
            case PORT -> {
                Refusal.unless(ATTR.get(at, "port_num") == 1, Refusal.EINVAL);
                values.port(1);
            }
            case QUEUE_KEY -> values.queueKey(ATTR.getInt(at, "qkey"));
            case ADDRESS -> values.address(address(at + ATTR.offset("ah_attr")));
            case PATH_MTU -> {
                int code = ATTR.getInt(at, "path_mtu");
                Refusal.unless(code >= 1 && code <= 5, Refusal.EINVAL);
                values.pathMtu(SMALLEST_MTU << code);
            }
            case TIMEOUT -> values.timeout(ATTR.getInt(at, "timeout"));
            case RETRY_COUNT -> values.retryCount(ATTR.getInt(at, "retry_cnt"));
            case RNR_RETRY -> values.rnrRetry(ATTR.getInt(at, "rnr_retry"));
            case RECEIVE_PSN -> values.receivePsn(ATTR.getInt(at, "rq_psn"));
            case READS_AS_INITIATOR -> values.readsAsInitiator(ATTR.getInt(at, "max_rd_atomic"));
            case MIN_RNR_TIMER -> values.minRnrTimer(ATTR.getInt(at, "min_rnr_timer"));
            case SEND_PSN -> values.sendPsn(ATTR.getInt(at, "sq_psn"));
            case READS_AS_RESPONDER ->
                    values.readsAsResponder(ATTR.getInt(at, "max_dest_rd_atomic"));
            case PEER_QUEUE_PAIR -> values.peerQueuePair(ATTR.getInt(at, "dest_qp_num"));
            case RATE_LIMIT -> values.rateLimit(ATTR.get(at, "rate_limit") * BITS_PER_KILOBIT);
        }
    }

    /// Writes all that a queue pair has.
    static void write(long at, QueuePairAttributes values) {
        CStruct.memory(at, ATTR.size()).fill((byte) 0);
        ATTR.put(at, "qp_state", values.currentState().code());
        ATTR.put(at, "cur_qp_state", values.currentState().code());
        ATTR.put(at, "path_mtu", Integer.numberOfTrailingZeros(values.pathMtu() / SMALLEST_MTU));
        ATTR.put(at, "qkey", values.queueKey());
        ATTR.put(at, "rq_psn", values.receivePsn());
        ATTR.put(at, "sq_psn", values.sendPsn());
        ATTR.put(at, "dest_qp_num", values.peerQueuePair());
        ATTR.put(at, "qp_access_flags", Access.bits(values.access()));
        ATTR.put(at, "pkey_index", values.partitionIndex());
        ATTR.put(at, "max_rd_atomic", values.readsAsInitiator());
        ATTR.put(at, "max_dest_rd_atomic", values.readsAsResponder());
        ATTR.put(at, "min_rnr_timer", values.minRnrTimer());
        ATTR.put(at, "port_num", 1);
        ATTR.put(at, "timeout", values.timeout());
        ATTR.put(at, "retry_cnt", values.retryCount());
        ATTR.put(at, "rnr_retry", values.rnrRetry());
    }

    /// Where an address handle, or a path, leads.
    static Address address(long at) {
        CStruct attr = Layouts.AH_ATTR;
        boolean isOurs =
                attr.get(at, "port_num") == 1
                        && attr.get(at, "sgid_index") == DriverDevice.GID_INDEX
                        && attr.get(at, "is_global") == 1;
        Refusal.unless(isOurs, Refusal.EINVAL);
        return new Address(
                attr.getInt(at, "dlid"),
                gid(at),
                attr.getInt(at, "sl"),
                attr.getInt(at, "traffic_class"),
                attr.getInt(at, "flow_label"),
                attr.getInt(at, "hop_limit"),
                0,
                Address.ROCE_PORT);
    }

    /// A `union ibv_gid`, in the order of the network.
    static Gid gid(long at) {
        return new Gid(
                Long.reverseBytes(CStruct.getLong(at)),
                Long.reverseBytes(CStruct.getLong(at + Long.BYTES)));
    }

    static void write(long at, Gid gid) {
        CStruct.putLong(at, Long.reverseBytes(gid.high()));
        CStruct.putLong(at + Long.BYTES, Long.reverseBytes(gid.low()));
    }
}
