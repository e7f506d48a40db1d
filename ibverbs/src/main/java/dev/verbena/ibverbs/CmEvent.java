package dev.verbena.ibverbs;

/// An event of a connection, copied so that the library's own event can be acknowledged.
///
/// @param type as librdmacm numbers it; see the constants
/// @param status 0, a negative error code of Linux, or the status in the peer's message
/// @param id the id of the event; for a request, the id that the reply uses
/// @param owner the number that the id, or the listener of a request, was created with
/// @param queuePair the peer's queue pair, in a reply for datagrams
/// @param queueKey the queue key of that queue pair
@SuppressWarnings("ArrayRecordComponent") // events are never compared
record CmEvent(
        int type,
        int status,
        long id,
        int owner,
        byte[] privateData,
        int responderResources,
        int initiatorDepth,
        int queuePair,
        int queueKey) {
    static final int ADDRESS_RESOLVED = 0;
    static final int ADDRESS_ERROR = 1;
    static final int ROUTE_RESOLVED = 2;
    static final int ROUTE_ERROR = 3;
    static final int REQUEST = 4;
    static final int RESPONSE = 5;
    static final int CONNECT_ERROR = 6;
    static final int UNREACHABLE = 7;
    static final int REJECTED = 8;
    static final int ESTABLISHED = 9;
    static final int DISCONNECTED = 10;
    static final int DEVICE_REMOVAL = 11;
    static final int TIMEWAIT_EXIT = 15;

    /// Copies a `struct rdma_cm_event`.
    static CmEvent read(long at) {
        long id = Memory.getLong(at + CmStructs.Event.ID);
        long param = at + CmStructs.Event.PARAM;
        int type = Memory.getInt(at + CmStructs.Event.TYPE);
        boolean isRequest = type == REQUEST;
        boolean isDatagram =
                Memory.getInt(id + CmStructs.Id.PORT_SPACE) == CmStructs.Id.UDP
                        && (isRequest || type == ESTABLISHED);
        long owner = isRequest ? Memory.getLong(at + CmStructs.Event.LISTENER) : id;
        long data = Memory.getLong(param + CmStructs.ConnParam.DATA);
        int length = data == 0 ? 0 : Memory.getByte(param + CmStructs.ConnParam.DATA_LENGTH);
        return new CmEvent(
                type,
                Memory.getInt(at + CmStructs.Event.STATUS),
                id,
                (int) Memory.getLong(owner + CmStructs.Id.CONTEXT),
                Memory.bytes(data, length),
                Memory.getByte(param + CmStructs.ConnParam.RESPONDER_RESOURCES),
                Memory.getByte(param + CmStructs.ConnParam.INITIATOR_DEPTH),
                isDatagram ? Memory.getInt(param + CmStructs.DatagramParam.QUEUE_PAIR) : 0,
                isDatagram ? Memory.getInt(param + CmStructs.DatagramParam.QUEUE_KEY) : 0);
    }

    /// Whether it reports a failure before the connection was established.
    boolean isFailure() {
        return switch (type) {
            case ADDRESS_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED -> true;
            default -> false;
        };
    }
}
