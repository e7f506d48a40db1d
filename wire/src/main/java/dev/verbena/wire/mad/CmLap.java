package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Gid;
import dev.verbena.wire.Payload;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// Load alternate path (IBA 12.8.1): offers another path to an established connection.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 32 | local communication ID |
/// | 4 | 32 | remote communication ID |
/// | 8 | 32 | reserved |
/// | 12 | 24 | remote QPN or EECN |
/// | 15 | 5 | remote CM response timeout, a [CmTimeout] |
/// | 15 | 3 | reserved |
/// | 16 | 32 | reserved |
/// | 20 | 16 | alternate local port LID |
/// | 22 | 16 | alternate remote port LID |
/// | 24 | 128 | alternate local port GID |
/// | 40 | 128 | alternate remote port GID |
/// | 56 | 20 | alternate flow label |
/// | 58 | 4 | reserved (the low bits) |
/// | 59 | 8 | alternate traffic class |
/// | 60 | 8 | alternate hop limit |
/// | 61 | 2 | reserved |
/// | 61 | 6 | alternate packet rate |
/// | 62 | 4 | alternate service level |
/// | 62 | 1 | alternate subnet local |
/// | 62 | 3 | reserved |
/// | 63 | 5 | alternate local ACK timeout, a [CmTimeout] |
/// | 63 | 3 | reserved |
/// | 64 | 168 bytes | private data |
public record CmLap(
        int localCommunicationId,
        int remoteCommunicationId,
        int remoteQpn,
        int remoteResponseTimeout,
        CmPath alternate,
        Payload privateData)
        implements CmMessage {
    public static final int ATTRIBUTE_ID = 0x19;
    public static final int PRIVATE_DATA_LENGTH = 168;

    private static final int RESERVED_HIGH = Mad.LENGTH + 8;
    private static final int REMOTE_QPN = Mad.LENGTH + 12;
    private static final int REMOTE_RESPONSE_TIMEOUT = Mad.LENGTH + 15;
    private static final int RESERVED_LOW = Mad.LENGTH + 16;
    private static final int LOCAL_LID = Mad.LENGTH + 20;
    private static final int REMOTE_LID = Mad.LENGTH + 22;
    private static final int LOCAL_GID = Mad.LENGTH + 24;
    private static final int REMOTE_GID = Mad.LENGTH + 40;
    private static final int FLOW_LABEL_AND_CLASS = Mad.LENGTH + 56;
    private static final int HOP_LIMIT = Mad.LENGTH + 60;
    private static final int PACKET_RATE = Mad.LENGTH + 61;
    private static final int SERVICE_LEVEL = Mad.LENGTH + 62;
    private static final int LOCAL_ACK_TIMEOUT = Mad.LENGTH + 63;
    private static final int PRIVATE_DATA = Mad.LENGTH + 64;

    public CmLap {
        WireException.requireBits("lap remote qpn", remoteQpn, 24);
        WireException.requireBits("lap remote response timeout", remoteResponseTimeout, 5);
        privateData = privateData.filled("lap private data", PRIVATE_DATA_LENGTH);
    }

    public static CmLap parse(MemorySegment segment, long at) {
        return new CmLap(
                CmIds.local(segment, at),
                CmIds.remote(segment, at),
                BigEndian.u24(segment, at + REMOTE_QPN),
                BigEndian.u8(segment, at + REMOTE_RESPONSE_TIMEOUT) >>> 3,
                parsePath(segment, at),
                Payload.parse(segment, at + PRIVATE_DATA, PRIVATE_DATA_LENGTH));
    }

    private static CmPath parsePath(MemorySegment segment, long at) {
        int flowLabelAndClass = BigEndian.i32(segment, at + FLOW_LABEL_AND_CLASS);
        int serviceLevel = BigEndian.u8(segment, at + SERVICE_LEVEL);
        return new CmPath(
                BigEndian.u16(segment, at + LOCAL_LID),
                BigEndian.u16(segment, at + REMOTE_LID),
                Gid.parse(segment, at + LOCAL_GID),
                Gid.parse(segment, at + REMOTE_GID),
                flowLabelAndClass >>> 12,
                BigEndian.u8(segment, at + PACKET_RATE) & 0x3F,
                flowLabelAndClass & 0xFF,
                BigEndian.u8(segment, at + HOP_LIMIT),
                serviceLevel >>> 4,
                Bits.isSet(serviceLevel, CmPath.SUBNET_LOCAL),
                BigEndian.u8(segment, at + LOCAL_ACK_TIMEOUT) >>> 3);
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        CmIds.emit(segment, at, localCommunicationId, remoteCommunicationId);
        BigEndian.put32(segment, at + RESERVED_HIGH, 0);
        BigEndian.put24(segment, at + REMOTE_QPN, remoteQpn);
        BigEndian.put8(segment, at + REMOTE_RESPONSE_TIMEOUT, remoteResponseTimeout << 3);
        BigEndian.put32(segment, at + RESERVED_LOW, 0);
        BigEndian.put16(segment, at + LOCAL_LID, alternate.localLid());
        BigEndian.put16(segment, at + REMOTE_LID, alternate.remoteLid());
        alternate.localGid().emit(segment, at + LOCAL_GID);
        alternate.remoteGid().emit(segment, at + REMOTE_GID);
        BigEndian.put32(
                segment,
                at + FLOW_LABEL_AND_CLASS,
                (alternate.flowLabel() << 12) | alternate.trafficClass());
        BigEndian.put8(segment, at + HOP_LIMIT, alternate.hopLimit());
        BigEndian.put8(segment, at + PACKET_RATE, alternate.packetRate());
        BigEndian.put8(
                segment,
                at + SERVICE_LEVEL,
                (alternate.serviceLevel() << 4)
                        | Bits.of(alternate.subnetLocal(), CmPath.SUBNET_LOCAL));
        BigEndian.put8(segment, at + LOCAL_ACK_TIMEOUT, alternate.localAckTimeout() << 3);
        privateData.emit(segment, at + PRIVATE_DATA);
    }
}
