package dev.verbena.ibverbs;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.WrongStateException;
import java.lang.foreign.Arena;
import java.util.List;

/// The transitions of a queue pair whose connection is managed, with the values from the messages
/// of both sides, which the manager keeps.
final class CmSteps {
    /// Managers would have a peer without a receive wait two thirds of a second.
    private static final int RNR_TIMER = 12;

    private static final int SMALLEST_MTU = 128;

    private CmSteps() {}

    /// Makes a queue pair ready to receive and to send.
    ///
    /// @param responder reads and atomics of the peer's that it has to serve at a time, at most
    /// @param initiator that it may have under way
    static void join(IbvQueuePair pair, CmId id, int responder, int initiator) {
        pair.modify(QueuePairState.READY_TO_RECEIVE, toReceive(pair, id, responder));
        pair.modify(QueuePairState.READY_TO_SEND, toSend(pair, id, initiator));
    }

    private static QueuePairAttributes toReceive(IbvQueuePair pair, CmId id, int responder) {
        try (Arena arena = Arena.ofConfined()) {
            long attr = ask(arena, pair, id, QueuePairState.READY_TO_RECEIVE);
            int theirs = Memory.getByte(attr + Structs.QpAttr.MAX_DEST_RD_ATOMIC);
            return new QueuePairAttributes()
                    .address(address(pair, attr + Structs.QpAttr.AH))
                    .pathMtu(SMALLEST_MTU << Memory.getInt(attr + Structs.QpAttr.PATH_MTU))
                    .peerQueuePair(Memory.getInt(attr + Structs.QpAttr.DEST_QP))
                    .receivePsn(Memory.getInt(attr + Structs.QpAttr.RQ_PSN))
                    .readsAsResponder(Math.min(responder, theirs))
                    .minRnrTimer(RNR_TIMER);
        }
    }

    private static QueuePairAttributes toSend(IbvQueuePair pair, CmId id, int initiator) {
        try (Arena arena = Arena.ofConfined()) {
            long attr = ask(arena, pair, id, QueuePairState.READY_TO_SEND);
            int theirs = Memory.getByte(attr + Structs.QpAttr.MAX_RD_ATOMIC);
            return new QueuePairAttributes()
                    .sendPsn(Memory.getInt(attr + Structs.QpAttr.SQ_PSN))
                    .timeout(Memory.getByte(attr + Structs.QpAttr.TIMEOUT))
                    .retryCount(Memory.getByte(attr + Structs.QpAttr.RETRY))
                    .rnrRetry(Memory.getByte(attr + Structs.QpAttr.RNR_RETRY))
                    .readsAsInitiator(Math.min(initiator, theirs));
        }
    }

    private static long ask(Arena arena, IbvQueuePair pair, CmId id, QueuePairState state) {
        long attr = arena.allocate(Structs.QpAttr.SIZE, Structs.POINTER).address();
        long mask = arena.allocate(Integer.BYTES, Integer.BYTES).address();
        Memory.putInt(attr + Structs.QpAttr.STATE, state.code());
        int reason = id.queuePairAttributes(attr, mask);
        if (reason != 0) {
            throw new WrongStateException(
                    pair.toString(),
                    "its peer has given up: " + Errno.text(reason),
                    "wait for the next request, or ask again");
        }
        return attr;
    }

    private static Address address(IbvQueuePair pair, long attr) {
        List<GidTable.Entry> gids = pair.context().gids;
        int index = Memory.getByte(attr + Structs.AhAttr.SGID_INDEX);
        int place = 0;
        while (place < gids.size() && gids.get(place).index() != index) {
            place++;
        }
        if (place == gids.size()) {
            throw new InvalidRequestException(
                    pair.toString(),
                    "its connection comes from the gid at index " + index + ", which is none of v2",
                    "set RoCE v2 as the default of rdma_cm for this port (cma_roce_mode)");
        }
        Gid peer = QueuePairCodec.gid(attr + Structs.AhAttr.DGID);
        return new Address(
                Memory.getShort(attr + Structs.AhAttr.DLID),
                peer,
                Memory.getByte(attr + Structs.AhAttr.SL),
                Memory.getByte(attr + Structs.AhAttr.TRAFFIC_CLASS),
                Memory.getInt(attr + Structs.AhAttr.FLOW_LABEL) & 0xF_FFFF,
                Memory.getByte(attr + Structs.AhAttr.HOP_LIMIT),
                place,
                Address.ROCE_PORT);
    }
}
