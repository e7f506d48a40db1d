package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Payload;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// Reply to a request for communication (IBA 12.6.8): the passive side accepts.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 32 | local communication ID |
/// | 4 | 32 | remote communication ID |
/// | 8 | 32 | local Q_Key |
/// | 12 | 24 | local QPN |
/// | 15 | 8 | vendor ID, high bits |
/// | 16 | 24 | local EECN (for XRC, the QPN) |
/// | 19 | 8 | vendor ID, middle bits |
/// | 20 | 24 | starting PSN: the first one the peer is to send |
/// | 23 | 8 | vendor ID, low bits |
/// | 24 | 8 | responder resources |
/// | 25 | 8 | initiator depth |
/// | 26 | 5 | target ACK delay, a [CmTimeout] |
/// | 26 | 2 | failover accepted, 0 when it is |
/// | 26 | 1 | end-to-end flow control |
/// | 27 | 3 | RNR retry count, for the active side's queue pair |
/// | 27 | 1 | SRQ |
/// | 27 | 4 | reserved |
/// | 28 | 64 | local CA GUID |
/// | 36 | 196 bytes | private data |
///
/// [#builder] fills in all fields by name.
public record CmRep(
        int localCommunicationId,
        int remoteCommunicationId,
        int vendorId,
        long localCaGuid,
        CmQueuePair queuePair,
        int targetAckDelay,
        int failoverAccepted,
        Payload privateData)
        implements CmMessage {
    public static final int ATTRIBUTE_ID = 0x13;
    public static final int PRIVATE_DATA_LENGTH = 196;

    private static final int LOCAL_QKEY = Mad.LENGTH + 8;
    private static final int LOCAL_QPN = Mad.LENGTH + 12;
    private static final int VENDOR_ID_HIGH = Mad.LENGTH + 15;
    private static final int LOCAL_EECN = Mad.LENGTH + 16;
    private static final int VENDOR_ID_MIDDLE = Mad.LENGTH + 19;
    private static final int STARTING_PSN = Mad.LENGTH + 20;
    private static final int VENDOR_ID_LOW = Mad.LENGTH + 23;
    private static final int RESPONDER_RESOURCES = Mad.LENGTH + 24;
    private static final int INITIATOR_DEPTH = Mad.LENGTH + 25;
    private static final int ACK_DELAY = Mad.LENGTH + 26;
    private static final int RNR_RETRY_COUNT = Mad.LENGTH + 27;
    private static final int LOCAL_CA_GUID = Mad.LENGTH + 28;
    private static final int PRIVATE_DATA = Mad.LENGTH + 36;

    private static final int END_TO_END_FLOW_CONTROL = 0x01;
    private static final int SRQ = 0x10;

    public CmRep {
        WireException.requireBits("rep vendor id", vendorId, 24);
        WireException.requireBits("rep target ack delay", targetAckDelay, 5);
        WireException.requireBits("rep failover accepted", failoverAccepted, 2);
        privateData = privateData.filled("rep private data", PRIVATE_DATA_LENGTH);
    }

    /// A REP to fill in by name; fields that are not set are zero.
    public static CmRepBuilder builder() {
        return new CmRepBuilder();
    }

    public static int localQpn(MemorySegment segment, long at) {
        return BigEndian.u24(segment, at + LOCAL_QPN);
    }

    public static int startingPsn(MemorySegment segment, long at) {
        return BigEndian.u24(segment, at + STARTING_PSN);
    }

    public static long localCaGuid(MemorySegment segment, long at) {
        return BigEndian.i64(segment, at + LOCAL_CA_GUID);
    }

    public static CmRep parse(MemorySegment segment, long at) {
        int ackDelay = BigEndian.u8(segment, at + ACK_DELAY);
        int rnrRetryCount = BigEndian.u8(segment, at + RNR_RETRY_COUNT);
        return builder()
                .localCommunicationId(CmIds.local(segment, at))
                .remoteCommunicationId(CmIds.remote(segment, at))
                .localQkey(BigEndian.i32(segment, at + LOCAL_QKEY))
                .localQpn(localQpn(segment, at))
                .vendorId(vendorId(segment, at))
                .localEecn(BigEndian.u24(segment, at + LOCAL_EECN))
                .startingPsn(startingPsn(segment, at))
                .responderResources(BigEndian.u8(segment, at + RESPONDER_RESOURCES))
                .initiatorDepth(BigEndian.u8(segment, at + INITIATOR_DEPTH))
                .targetAckDelay(ackDelay >>> 3)
                .failoverAccepted((ackDelay >>> 1) & 0x3)
                .endToEndFlowControl(Bits.isSet(ackDelay, END_TO_END_FLOW_CONTROL))
                .rnrRetryCount(rnrRetryCount >>> 5)
                .srq(Bits.isSet(rnrRetryCount, SRQ))
                .localCaGuid(localCaGuid(segment, at))
                .privateData(Payload.parse(segment, at + PRIVATE_DATA, PRIVATE_DATA_LENGTH))
                .build();
    }

    /// The vendor ID came late to the format and took three bytes that used to be reserved.
    private static int vendorId(MemorySegment segment, long at) {
        return (BigEndian.u8(segment, at + VENDOR_ID_HIGH) << 16)
                | (BigEndian.u8(segment, at + VENDOR_ID_MIDDLE) << 8)
                | BigEndian.u8(segment, at + VENDOR_ID_LOW);
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        CmIds.emit(segment, at, localCommunicationId, remoteCommunicationId);
        BigEndian.put32(segment, at + LOCAL_QKEY, queuePair.qkey());
        BigEndian.put24(segment, at + LOCAL_QPN, queuePair.qpn());
        BigEndian.put8(segment, at + VENDOR_ID_HIGH, vendorId >>> 16);
        BigEndian.put24(segment, at + LOCAL_EECN, queuePair.eecn());
        BigEndian.put8(segment, at + VENDOR_ID_MIDDLE, vendorId >>> 8);
        BigEndian.put24(segment, at + STARTING_PSN, queuePair.startingPsn());
        BigEndian.put8(segment, at + VENDOR_ID_LOW, vendorId);
        BigEndian.put8(segment, at + RESPONDER_RESOURCES, queuePair.responderResources());
        BigEndian.put8(segment, at + INITIATOR_DEPTH, queuePair.initiatorDepth());
        BigEndian.put8(
                segment,
                at + ACK_DELAY,
                (targetAckDelay << 3)
                        | (failoverAccepted << 1)
                        | Bits.of(queuePair.endToEndFlowControl(), END_TO_END_FLOW_CONTROL));
        BigEndian.put8(
                segment,
                at + RNR_RETRY_COUNT,
                (queuePair.rnrRetryCount() << 5) | Bits.of(queuePair.srq(), SRQ));
        BigEndian.put64(segment, at + LOCAL_CA_GUID, localCaGuid);
        privateData.emit(segment, at + PRIVATE_DATA);
    }
}
