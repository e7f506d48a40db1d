package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Payload;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// Request for communication (IBA 12.6.5): the active side asks for a connection.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 32 | local communication ID |
/// | 4 | 8 | reserved |
/// | 5 | 24 | vendor ID, 0 without vendor options |
/// | 8 | 64 | service ID |
/// | 16 | 64 | local CA GUID |
/// | 24 | 32 | reserved |
/// | 28 | 32 | local Q_Key |
/// | 32 | 24 | local QPN |
/// | 35 | 8 | responder resources: READs and atomics the sender can serve at a time |
/// | 36 | 24 | local EECN |
/// | 39 | 8 | initiator depth: READs and atomics the sender wants to start at a time |
/// | 40 | 24 | remote EECN |
/// | 43 | 5 | remote CM response timeout, a [CmTimeout] |
/// | 43 | 2 | transport service type |
/// | 43 | 1 | end-to-end flow control |
/// | 44 | 24 | starting PSN: the first one the peer is to send |
/// | 47 | 5 | local CM response timeout, a [CmTimeout] |
/// | 47 | 3 | retry count, for both queue pairs |
/// | 48 | 16 | P_Key |
/// | 50 | 4 | path MTU, the code of a [dev.verbena.wire.PathMtu] |
/// | 50 | 1 | RDC exists |
/// | 50 | 3 | RNR retry count, for the passive side's queue pair |
/// | 51 | 4 | max CM retries |
/// | 51 | 1 | SRQ |
/// | 51 | 3 | extended transport type |
/// | 52 | 44 bytes | primary path, a [CmPath] |
/// | 96 | 44 bytes | alternate path, a [CmPath] |
/// | 139 | 1 | SAP supported (the sixth bit) |
/// | 140 | 92 bytes | private data |
public record CmReq(
        int localCommunicationId,
        int vendorId,
        long serviceId,
        long localCaGuid,
        int localQkey,
        int localQpn,
        int responderResources,
        int localEecn,
        int initiatorDepth,
        int remoteEecn,
        int remoteResponseTimeout,
        int transportServiceType,
        boolean endToEndFlowControl,
        int startingPsn,
        int localResponseTimeout,
        int retryCount,
        int pkey,
        int pathMtu,
        boolean rdcExists,
        int rnrRetryCount,
        int maxCmRetries,
        boolean srq,
        int extendedTransportType,
        CmPath primary,
        CmPath alternate,
        boolean sapSupported,
        Payload privateData)
        implements CmMessage {
    public static final int ATTRIBUTE_ID = 0x10;
    public static final int PRIVATE_DATA_LENGTH = 92;

    public static final int SERVICE_RC = 0;
    public static final int SERVICE_UC = 1;
    public static final int SERVICE_RD = 2;

    /// The extended transport type says which; 1 is XRC.
    public static final int SERVICE_EXTENDED = 3;

    private static final int LOCAL_COMMUNICATION_ID = Mad.LENGTH;
    private static final int VENDOR_ID = Mad.LENGTH + 4;
    private static final int SERVICE_ID = Mad.LENGTH + 8;
    private static final int LOCAL_CA_GUID = Mad.LENGTH + 16;
    private static final int RESERVED = Mad.LENGTH + 24;
    private static final int LOCAL_QKEY = Mad.LENGTH + 28;
    private static final int LOCAL_QPN = Mad.LENGTH + 32;
    private static final int RESPONDER_RESOURCES = Mad.LENGTH + 35;
    private static final int LOCAL_EECN = Mad.LENGTH + 36;
    private static final int INITIATOR_DEPTH = Mad.LENGTH + 39;
    private static final int REMOTE_EECN = Mad.LENGTH + 40;
    private static final int REMOTE_TIMEOUT_AND_SERVICE = Mad.LENGTH + 43;
    private static final int STARTING_PSN = Mad.LENGTH + 44;
    private static final int LOCAL_TIMEOUT_AND_RETRIES = Mad.LENGTH + 47;
    private static final int PKEY = Mad.LENGTH + 48;
    private static final int MTU_AND_RNR_RETRIES = Mad.LENGTH + 50;
    private static final int CM_RETRIES_AND_TYPE = Mad.LENGTH + 51;
    private static final int PRIMARY = Mad.LENGTH + 52;
    private static final int ALTERNATE = Mad.LENGTH + 96;
    private static final int SAP_SUPPORTED_AT = Mad.LENGTH + 139;
    private static final int PRIVATE_DATA = Mad.LENGTH + 140;

    private static final int END_TO_END_FLOW_CONTROL = 0x01;
    private static final int RDC_EXISTS = 0x08;
    private static final int SRQ = 0x08;
    private static final int SAP_SUPPORTED = 0x04;

    public CmReq {
        WireException.requireBits("req vendor id", vendorId, 24);
        WireException.requireBits("req local qpn", localQpn, 24);
        WireException.requireBits("req responder resources", responderResources, 8);
        WireException.requireBits("req local eecn", localEecn, 24);
        WireException.requireBits("req initiator depth", initiatorDepth, 8);
        WireException.requireBits("req remote eecn", remoteEecn, 24);
        WireException.requireBits("req remote response timeout", remoteResponseTimeout, 5);
        WireException.requireBits("req transport service type", transportServiceType, 2);
        WireException.requireBits("req starting psn", startingPsn, 24);
        WireException.requireBits("req local response timeout", localResponseTimeout, 5);
        WireException.requireBits("req retry count", retryCount, 3);
        WireException.requireBits("req pkey", pkey, 16);
        WireException.requireBits("req path mtu", pathMtu, 4);
        WireException.requireBits("req rnr retry count", rnrRetryCount, 3);
        WireException.requireBits("req max cm retries", maxCmRetries, 4);
        WireException.requireBits("req extended transport type", extendedTransportType, 3);
        privateData = privateData.filled("req private data", PRIVATE_DATA_LENGTH);
    }

    /// A REQ to fill in by name; fields that are not set are zero.
    public static CmReqBuilder builder() {
        return new CmReqBuilder();
    }

    public static int localCommunicationId(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at + LOCAL_COMMUNICATION_ID);
    }

    public static long serviceId(MemorySegment segment, long at) {
        return BigEndian.i64(segment, at + SERVICE_ID);
    }

    public static long localCaGuid(MemorySegment segment, long at) {
        return BigEndian.i64(segment, at + LOCAL_CA_GUID);
    }

    public static int localQpn(MemorySegment segment, long at) {
        return BigEndian.u24(segment, at + LOCAL_QPN);
    }

    public static CmReq parse(MemorySegment segment, long at) {
        int service = BigEndian.u8(segment, at + REMOTE_TIMEOUT_AND_SERVICE);
        int retries = BigEndian.u8(segment, at + LOCAL_TIMEOUT_AND_RETRIES);
        int mtu = BigEndian.u8(segment, at + MTU_AND_RNR_RETRIES);
        int type = BigEndian.u8(segment, at + CM_RETRIES_AND_TYPE);
        return new CmReq(
                localCommunicationId(segment, at),
                BigEndian.u24(segment, at + VENDOR_ID + 1),
                serviceId(segment, at),
                localCaGuid(segment, at),
                BigEndian.i32(segment, at + LOCAL_QKEY),
                localQpn(segment, at),
                BigEndian.u8(segment, at + RESPONDER_RESOURCES),
                BigEndian.u24(segment, at + LOCAL_EECN),
                BigEndian.u8(segment, at + INITIATOR_DEPTH),
                BigEndian.u24(segment, at + REMOTE_EECN),
                service >>> 3,
                (service >>> 1) & 0x3,
                Bits.isSet(service, END_TO_END_FLOW_CONTROL),
                BigEndian.u24(segment, at + STARTING_PSN),
                retries >>> 3,
                retries & 0x7,
                BigEndian.u16(segment, at + PKEY),
                mtu >>> 4,
                Bits.isSet(mtu, RDC_EXISTS),
                mtu & 0x7,
                type >>> 4,
                Bits.isSet(type, SRQ),
                type & 0x7,
                CmPath.parse(segment, at + PRIMARY),
                CmPath.parse(segment, at + ALTERNATE),
                Bits.isSet(BigEndian.u8(segment, at + SAP_SUPPORTED_AT), SAP_SUPPORTED),
                Payload.parse(segment, at + PRIVATE_DATA, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        BigEndian.put32(segment, at + LOCAL_COMMUNICATION_ID, localCommunicationId);
        BigEndian.put32(segment, at + VENDOR_ID, vendorId);
        BigEndian.put64(segment, at + SERVICE_ID, serviceId);
        BigEndian.put64(segment, at + LOCAL_CA_GUID, localCaGuid);
        BigEndian.put32(segment, at + RESERVED, 0);
        BigEndian.put32(segment, at + LOCAL_QKEY, localQkey);
        BigEndian.put24(segment, at + LOCAL_QPN, localQpn);
        BigEndian.put8(segment, at + RESPONDER_RESOURCES, responderResources);
        BigEndian.put24(segment, at + LOCAL_EECN, localEecn);
        BigEndian.put8(segment, at + INITIATOR_DEPTH, initiatorDepth);
        BigEndian.put24(segment, at + REMOTE_EECN, remoteEecn);
        BigEndian.put8(
                segment,
                at + REMOTE_TIMEOUT_AND_SERVICE,
                (remoteResponseTimeout << 3)
                        | (transportServiceType << 1)
                        | Bits.of(endToEndFlowControl, END_TO_END_FLOW_CONTROL));
        BigEndian.put24(segment, at + STARTING_PSN, startingPsn);
        BigEndian.put8(
                segment, at + LOCAL_TIMEOUT_AND_RETRIES, (localResponseTimeout << 3) | retryCount);
        BigEndian.put16(segment, at + PKEY, pkey);
        BigEndian.put8(
                segment,
                at + MTU_AND_RNR_RETRIES,
                (pathMtu << 4) | Bits.of(rdcExists, RDC_EXISTS) | rnrRetryCount);
        BigEndian.put8(
                segment,
                at + CM_RETRIES_AND_TYPE,
                (maxCmRetries << 4) | Bits.of(srq, SRQ) | extendedTransportType);
        primary.emit(segment, at + PRIMARY);
        alternate.emit(segment, at + ALTERNATE);
        // The flag lies in a byte that the alternate path has just written.
        BigEndian.put8(
                segment,
                at + SAP_SUPPORTED_AT,
                (alternate.localAckTimeout() << 3) | Bits.of(sapSupported, SAP_SUPPORTED));
        privateData.emit(segment, at + PRIVATE_DATA);
    }
}
