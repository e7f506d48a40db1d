package dev.verbena.ibverbs;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePairAttribute;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;

/// Attributes of a queue pair as libibverbs' structures hold them.
final class QueuePairCodec {
    private static final int BITS_PER_KILOBIT = 1000;

    private QueuePairCodec() {}

    /// Writes a `struct ibv_qp_attr` and returns the mask that goes with it.
    static int write(
            long attr, QueuePairState target, QueuePairAttributes values, IbvContext context) {
        Memory.clear(attr, Structs.QpAttr.SIZE);
        Memory.putInt(attr + Structs.QpAttr.STATE, target.code());
        int mask = Structs.QpAttr.MASK_STATE;
        for (QueuePairAttribute attribute : values.set()) {
            write(attr, attribute, values, context);
            boolean isUnlimited =
                    attribute == QueuePairAttribute.RATE_LIMIT && values.rateLimit() == 0;
            if (!isUnlimited) {
                mask |= 1 << attribute.code();
            }
        }
        return mask;
    }

    private static void write(
            long attr,
            QueuePairAttribute attribute,
            QueuePairAttributes values,
            IbvContext context) {
        switch (attribute) {
            case CURRENT_STATE ->
                    Memory.putInt(
                            attr + Structs.QpAttr.CURRENT_STATE, values.currentState().code());
            case DRAIN_NOTIFY ->
                    Memory.putByte(attr + Structs.QpAttr.SQD_NOTIFY, values.drainNotify() ? 1 : 0);
            case ACCESS ->
                    Memory.putInt(attr + Structs.QpAttr.ACCESS, Access.bits(values.access()));
            case PARTITION_INDEX ->
                    Memory.putShort(attr + Structs.QpAttr.PKEY_INDEX, values.partitionIndex());
            case PORT -> Memory.putByte(attr + Structs.QpAttr.PORT, context.settings.port());
            case QUEUE_KEY -> Memory.putInt(attr + Structs.QpAttr.QKEY, values.queueKey());
            case ADDRESS -> write(attr + Structs.QpAttr.AH, values.address(), context);
            case PATH_MTU ->
                    Memory.putInt(
                            attr + Structs.QpAttr.PATH_MTU, IbvContext.mtuCode(values.pathMtu()));
            case TIMEOUT -> Memory.putByte(attr + Structs.QpAttr.TIMEOUT, values.timeout());
            case RETRY_COUNT -> Memory.putByte(attr + Structs.QpAttr.RETRY, values.retryCount());
            case RNR_RETRY -> Memory.putByte(attr + Structs.QpAttr.RNR_RETRY, values.rnrRetry());
            case RECEIVE_PSN -> Memory.putInt(attr + Structs.QpAttr.RQ_PSN, values.receivePsn());
            case READS_AS_INITIATOR ->
                    Memory.putByte(attr + Structs.QpAttr.MAX_RD_ATOMIC, values.readsAsInitiator());
            case MIN_RNR_TIMER ->
                    Memory.putByte(attr + Structs.QpAttr.MIN_RNR_TIMER, values.minRnrTimer());
            case SEND_PSN -> Memory.putInt(attr + Structs.QpAttr.SQ_PSN, values.sendPsn());
            case READS_AS_RESPONDER ->
                    Memory.putByte(
                            attr + Structs.QpAttr.MAX_DEST_RD_ATOMIC, values.readsAsResponder());
            case PEER_QUEUE_PAIR ->
                    Memory.putInt(attr + Structs.QpAttr.DEST_QP, values.peerQueuePair());
            case RATE_LIMIT ->
                    Memory.putInt(
                            attr + Structs.QpAttr.RATE_LIMIT,
                            (int) (values.rateLimit() / BITS_PER_KILOBIT));
        }
    }

    /// Writes a `struct ibv_ah_attr`.
    static void write(long attr, Address way, IbvContext context) {
        Memory.clear(attr, Structs.AhAttr.SIZE);
        boolean isGlobal = context.isEthernet || !way.gid().equals(Gid.NONE);
        write(attr + Structs.AhAttr.DGID, way.gid());
        Memory.putInt(attr + Structs.AhAttr.FLOW_LABEL, way.flowLabel());
        Memory.putByte(attr + Structs.AhAttr.SGID_INDEX, context.gidIndex(way.sourceGid()));
        Memory.putByte(attr + Structs.AhAttr.HOP_LIMIT, way.hopLimit());
        Memory.putByte(attr + Structs.AhAttr.TRAFFIC_CLASS, way.trafficClass());
        Memory.putShort(attr + Structs.AhAttr.DLID, way.lid());
        Memory.putByte(attr + Structs.AhAttr.SL, way.serviceLevel());
        Memory.putByte(attr + Structs.AhAttr.IS_GLOBAL, isGlobal ? 1 : 0);
        Memory.putByte(attr + Structs.AhAttr.PORT, context.settings.port());
    }

    /// Writes a `union ibv_gid`, which is in the order of the network.
    static void write(long at, Gid gid) {
        Memory.putLong(at, Long.reverseBytes(gid.high()));
        Memory.putLong(at + Long.BYTES, Long.reverseBytes(gid.low()));
    }

    /// Reads a `union ibv_gid`.
    static Gid gid(long at) {
        return new Gid(
                Long.reverseBytes(Memory.getLong(at)),
                Long.reverseBytes(Memory.getLong(at + Long.BYTES)));
    }
}
