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
///
/// [#builder] fills in all fields by name.
public record CmReq(
        int localCommunicationId,
        int vendorId,
        long serviceId,
        long localCaGuid,
        CmQueuePair queuePair,
        CmTransport transport,
        CmPatience patience,
        CmPaths paths,
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
        return builder()
                .localCommunicationId(localCommunicationId(segment, at))
                .vendorId(BigEndian.u24(segment, at + VENDOR_ID + 1))
                .serviceId(serviceId(segment, at))
                .localCaGuid(localCaGuid(segment, at))
                .localQkey(BigEndian.i32(segment, at + LOCAL_QKEY))
                .localQpn(localQpn(segment, at))
                .responderResources(BigEndian.u8(segment, at + RESPONDER_RESOURCES))
                .localEecn(BigEndian.u24(segment, at + LOCAL_EECN))
                .initiatorDepth(BigEndian.u8(segment, at + INITIATOR_DEPTH))
                .remoteEecn(BigEndian.u24(segment, at + REMOTE_EECN))
                .remoteResponseTimeout(service >>> 3)
                .transportServiceType((service >>> 1) & 0x3)
                .endToEndFlowControl(Bits.isSet(service, END_TO_END_FLOW_CONTROL))
                .startingPsn(BigEndian.u24(segment, at + STARTING_PSN))
                .localResponseTimeout(retries >>> 3)
                .retryCount(retries & 0x7)
                .pkey(BigEndian.u16(segment, at + PKEY))
                .pathMtu(mtu >>> 4)
                .rdcExists(Bits.isSet(mtu, RDC_EXISTS))
                .rnrRetryCount(mtu & 0x7)
                .maxCmRetries(type >>> 4)
                .srq(Bits.isSet(type, SRQ))
                .extendedTransportType(type & 0x7)
                .primary(CmPath.parse(segment, at + PRIMARY))
                .alternate(CmPath.parse(segment, at + ALTERNATE))
                .sapSupported(
                        Bits.isSet(BigEndian.u8(segment, at + SAP_SUPPORTED_AT), SAP_SUPPORTED))
                .privateData(Payload.parse(segment, at + PRIVATE_DATA, PRIVATE_DATA_LENGTH))
                .build();
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
        BigEndian.put32(segment, at + LOCAL_QKEY, queuePair.qkey());
        BigEndian.put24(segment, at + LOCAL_QPN, queuePair.qpn());
        BigEndian.put8(segment, at + RESPONDER_RESOURCES, queuePair.responderResources());
        BigEndian.put24(segment, at + LOCAL_EECN, queuePair.eecn());
        BigEndian.put8(segment, at + INITIATOR_DEPTH, queuePair.initiatorDepth());
        BigEndian.put24(segment, at + REMOTE_EECN, transport.remoteEecn());
        BigEndian.put8(
                segment,
                at + REMOTE_TIMEOUT_AND_SERVICE,
                (patience.remoteResponseTimeout() << 3)
                        | (transport.serviceType() << 1)
                        | Bits.of(queuePair.endToEndFlowControl(), END_TO_END_FLOW_CONTROL));
        BigEndian.put24(segment, at + STARTING_PSN, queuePair.startingPsn());
        BigEndian.put8(
                segment,
                at + LOCAL_TIMEOUT_AND_RETRIES,
                (patience.localResponseTimeout() << 3) | transport.retryCount());
        BigEndian.put16(segment, at + PKEY, paths.pkey());
        BigEndian.put8(
                segment,
                at + MTU_AND_RNR_RETRIES,
                (paths.mtu() << 4)
                        | Bits.of(transport.rdcExists(), RDC_EXISTS)
                        | queuePair.rnrRetryCount());
        BigEndian.put8(
                segment,
                at + CM_RETRIES_AND_TYPE,
                (patience.maxCmRetries() << 4)
                        | Bits.of(queuePair.srq(), SRQ)
                        | transport.extendedType());
        paths.primary().emit(segment, at + PRIMARY);
        paths.alternate().emit(segment, at + ALTERNATE);
        // The flag lies in a byte that the alternate path has just written.
        BigEndian.put8(
                segment,
                at + SAP_SUPPORTED_AT,
                (paths.alternate().localAckTimeout() << 3)
                        | Bits.of(paths.sapSupported(), SAP_SUPPORTED));
        privateData.emit(segment, at + PRIVATE_DATA);
    }
}
