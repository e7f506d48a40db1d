package dev.verbena.ibverbs.driver;

import java.util.Arrays;

/// The fields of a message between two managers, read from a `struct rdma_conn_param`.
///
/// @param data private data, which arrives with zeros behind it up to the most that its message
///   holds
/// @param responder READs and atomics that the sender serves at a time
/// @param initiator that the sender has in flight at a time
@SuppressWarnings("ArrayRecordComponent") // messages are never compared
record CmMessage(byte[] data, int responder, int initiator, int pair) {
    static final CmMessage EMPTY = new CmMessage(new byte[0], 0, 0, 0);

    static CmMessage read(long at, int most) {
        CStruct param = Layouts.CONN_PARAM;
        return new CmMessage(
                bytes(param.get(at, "private_data"), param.getInt(at, "private_data_len"), most),
                param.getInt(at, "responder_resources"),
                param.getInt(at, "initiator_depth"),
                param.getInt(at, "qp_num"));
    }

    static CmMessage of(long data, int length, int most) {
        return new CmMessage(bytes(data, length, most), 0, 0, 0);
    }

    private static byte[] bytes(long at, int length, int most) {
        Refusal.unless(length <= most, Refusal.EINVAL);
        byte[] found = new byte[length];
        CStruct.memory(at, length).asByteBuffer().get(found);
        return Arrays.copyOf(found, most);
    }
}
