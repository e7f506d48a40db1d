package dev.verbena.ibverbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The queue pair fields of a request or a reply: `struct rdma_conn_param`.
final class CmParameters {
    private static final int RETRIES = 7;

    private final byte[] data;
    private int responderResources;
    private int initiatorDepth;
    private boolean isShared;
    private int queuePair;

    CmParameters(byte... data) {
        this.data = data.clone();
    }

    /// For a connection.
    ///
    /// @param responderResources reads and atomics of the peer that it serves at a time
    /// @param initiatorDepth that it has under way at a time
    CmParameters of(IbvQueuePair pair, int responderResources, int initiatorDepth) {
        this.responderResources = responderResources;
        this.initiatorDepth = initiatorDepth;
        this.isShared = pair.takesSharedReceives();
        return of(pair.number());
    }

    /// For datagrams.
    CmParameters of(int number) {
        this.queuePair = number;
        return this;
    }

    long write(Arena arena) {
        long at = arena.allocate(CmStructs.ConnParam.SIZE, Structs.POINTER).address();
        if (data.length > 0) {
            MemorySegment copy = arena.allocate(data.length);
            MemorySegment.copy(MemorySegment.ofArray(data), 0, copy, 0, data.length);
            Memory.putLong(at + CmStructs.ConnParam.DATA, copy.address());
        }
        Memory.putByte(at + CmStructs.ConnParam.DATA_LENGTH, data.length);
        Memory.putByte(at + CmStructs.ConnParam.RESPONDER_RESOURCES, responderResources);
        Memory.putByte(at + CmStructs.ConnParam.INITIATOR_DEPTH, initiatorDepth);
        Memory.putByte(at + CmStructs.ConnParam.FLOW_CONTROL, 1);
        Memory.putByte(at + CmStructs.ConnParam.RETRIES, RETRIES);
        Memory.putByte(at + CmStructs.ConnParam.RNR_RETRIES, RETRIES);
        Memory.putByte(at + CmStructs.ConnParam.SHARED, isShared ? 1 : 0);
        Memory.putInt(at + CmStructs.ConnParam.QUEUE_PAIR, queuePair);
        return at;
    }
}
