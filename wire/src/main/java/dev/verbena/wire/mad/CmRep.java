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
public record CmRep(
        int localCommunicationId,
        int remoteCommunicationId,
        int localQkey,
        int localQpn,
        int vendorId,
        int localEecn,
        int startingPsn,
        int responderResources,
        int initiatorDepth,
        int targetAckDelay,
        int failoverAccepted,
        boolean endToEndFlowControl,
        int rnrRetryCount,
        boolean srq,
        long localCaGuid,
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
        WireException.requireBits("rep local qpn", localQpn, 24);
        WireException.requireBits("rep vendor id", vendorId, 24);
        WireException.requireBits("rep local eecn", localEecn, 24);
        WireException.requireBits("rep starting psn", startingPsn, 24);
        WireException.requireBits("rep responder resources", responderResources, 8);
        WireException.requireBits("rep initiator depth", initiatorDepth, 8);
        WireException.requireBits("rep target ack delay", targetAckDelay, 5);
        WireException.requireBits("rep failover accepted", failoverAccepted, 2);
        WireException.requireBits("rep rnr retry count", rnrRetryCount, 3);
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
        return new CmRep(
                CmIds.local(segment, at),
                CmIds.remote(segment, at),
                BigEndian.i32(segment, at + LOCAL_QKEY),
                localQpn(segment, at),
                vendorId(segment, at),
                BigEndian.u24(segment, at + LOCAL_EECN),
                startingPsn(segment, at),
                BigEndian.u8(segment, at + RESPONDER_RESOURCES),
                BigEndian.u8(segment, at + INITIATOR_DEPTH),
                ackDelay >>> 3,
                (ackDelay >>> 1) & 0x3,
                Bits.isSet(ackDelay, END_TO_END_FLOW_CONTROL),
                rnrRetryCount >>> 5,
                Bits.isSet(rnrRetryCount, SRQ),
                localCaGuid(segment, at),
                Payload.parse(segment, at + PRIVATE_DATA, PRIVATE_DATA_LENGTH));
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
        BigEndian.put32(segment, at + LOCAL_QKEY, localQkey);
        BigEndian.put24(segment, at + LOCAL_QPN, localQpn);
        BigEndian.put8(segment, at + VENDOR_ID_HIGH, vendorId >>> 16);
        BigEndian.put24(segment, at + LOCAL_EECN, localEecn);
        BigEndian.put8(segment, at + VENDOR_ID_MIDDLE, vendorId >>> 8);
        BigEndian.put24(segment, at + STARTING_PSN, startingPsn);
        BigEndian.put8(segment, at + VENDOR_ID_LOW, vendorId);
        BigEndian.put8(segment, at + RESPONDER_RESOURCES, responderResources);
        BigEndian.put8(segment, at + INITIATOR_DEPTH, initiatorDepth);
        BigEndian.put8(
                segment,
                at + ACK_DELAY,
                (targetAckDelay << 3)
                        | (failoverAccepted << 1)
                        | Bits.of(endToEndFlowControl, END_TO_END_FLOW_CONTROL));
        BigEndian.put8(segment, at + RNR_RETRY_COUNT, (rnrRetryCount << 5) | Bits.of(srq, SRQ));
        BigEndian.put64(segment, at + LOCAL_CA_GUID, localCaGuid);
        privateData.emit(segment, at + PRIVATE_DATA);
    }
}
