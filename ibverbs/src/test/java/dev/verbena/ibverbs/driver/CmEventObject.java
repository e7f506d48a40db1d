package dev.verbena.ibverbs.driver;

import java.lang.foreign.MemorySegment;

/// A `struct rdma_cm_event` that a program holds until it acknowledges it.
final class CmEventObject extends DriverObject {
    /// The queue key that rdma_cm tells every peer.
    private static final int USUAL_QUEUE_KEY = 0x0123_4567;

    private final CmId owner;
    private final long data;

    CmEventObject(InProcessDriver driver, CmChannel.Event from) {
        super(driver, Layouts.CM_EVENT);
        owner = from.listener();
        owner.unacknowledged++;
        CmMessage message = from.message();
        data = driver.heap.allocate(Math.max(1, message.data().length));
        MemorySegment.copy(
                MemorySegment.ofArray(message.data()),
                0,
                CStruct.memory(data, message.data().length),
                0,
                message.data().length);
        put("id", from.id().address);
        put("listen_id", from.type() == CmId.REQUEST ? from.listener().address : 0);
        put("event", from.type());
        put("status", from.status());
        put("private_data", message.data().length == 0 ? 0 : data);
        put("private_data_len", message.data().length);
        if (from.id().isDatagram()) {
            put("ud_qp_num", message.pair());
            put("ud_qkey", USUAL_QUEUE_KEY);
        } else {
            // Told from the receiver's side: the peer's reads are those that it has to serve.
            put("responder_resources", message.initiator());
            put("initiator_depth", message.responder());
            put("qp_num", message.pair());
        }
    }

    private void put(String field, long value) {
        Layouts.CM_EVENT.put(address, field, value);
    }

    void acknowledge() {
        driver.heap.free(data);
        free();
        driver.acknowledge(owner, 1);
    }
}
