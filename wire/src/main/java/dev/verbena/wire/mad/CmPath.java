package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Gid;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// The primary or alternate path in a REQ (IBA 12.6.5), from the sender's point of view.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 16 | local port LID |
/// | 2 | 16 | remote port LID |
/// | 4 | 128 | local port GID |
/// | 20 | 128 | remote port GID |
/// | 36 | 20 | flow label |
/// | 38 | 6 | reserved (from the fifth bit) |
/// | 39 | 6 | packet rate (the low bits) |
/// | 40 | 8 | traffic class |
/// | 41 | 8 | hop limit |
/// | 42 | 4 | service level |
/// | 42 | 1 | subnet local |
/// | 42 | 3 | reserved |
/// | 43 | 5 | local ACK timeout, a [CmTimeout] |
/// | 43 | 3 | reserved; in the alternate path a flag of the REQ, see [CmPaths#sapSupported] |
///
/// A LAP carries the same fields in another order (see [CmLap]). All zero means no path.
public record CmPath(
        int localLid,
        int remoteLid,
        Gid localGid,
        Gid remoteGid,
        int flowLabel,
        int packetRate,
        int trafficClass,
        int hopLimit,
        int serviceLevel,
        boolean subnetLocal,
        int localAckTimeout) {
    public static final int LENGTH = 44;

    /// The value of an alternate path when there is none.
    public static final CmPath NONE = new CmPath(0, 0, Gid.ZERO, Gid.ZERO, 0, 0, 0, 0, 0, false, 0);

    private static final int LOCAL_LID = 0;
    private static final int REMOTE_LID = 2;
    private static final int LOCAL_GID = 4;
    private static final int REMOTE_GID = 20;
    private static final int FLOW_LABEL_AND_RATE = 36;
    private static final int TRAFFIC_CLASS = 40;
    private static final int HOP_LIMIT = 41;
    private static final int SERVICE_LEVEL = 42;
    private static final int LOCAL_ACK_TIMEOUT = 43;

    static final int SUBNET_LOCAL = 0x08;

    public CmPath {
        WireException.requireBits("path local lid", localLid, 16);
        WireException.requireBits("path remote lid", remoteLid, 16);
        WireException.requireBits("path flow label", flowLabel, 20);
        WireException.requireBits("path packet rate", packetRate, 6);
        WireException.requireBits("path traffic class", trafficClass, 8);
        WireException.requireBits("path hop limit", hopLimit, 8);
        WireException.requireBits("path service level", serviceLevel, 4);
        WireException.requireBits("path local ack timeout", localAckTimeout, 5);
    }

    public boolean isNone() {
        return equals(NONE);
    }

    /// Reads the path whose first byte is at `at`.
    public static CmPath parse(MemorySegment segment, long at) {
        int flowLabelAndRate = BigEndian.i32(segment, at + FLOW_LABEL_AND_RATE);
        int serviceLevel = BigEndian.u8(segment, at + SERVICE_LEVEL);
        return new CmPath(
                BigEndian.u16(segment, at + LOCAL_LID),
                BigEndian.u16(segment, at + REMOTE_LID),
                Gid.parse(segment, at + LOCAL_GID),
                Gid.parse(segment, at + REMOTE_GID),
                flowLabelAndRate >>> 12,
                flowLabelAndRate & 0x3F,
                BigEndian.u8(segment, at + TRAFFIC_CLASS),
                BigEndian.u8(segment, at + HOP_LIMIT),
                serviceLevel >>> 4,
                Bits.isSet(serviceLevel, SUBNET_LOCAL),
                BigEndian.u8(segment, at + LOCAL_ACK_TIMEOUT) >>> 3);
    }

    /// Writes the path with its first byte at `at`.
    public void emit(MemorySegment segment, long at) {
        BigEndian.put16(segment, at + LOCAL_LID, localLid);
        BigEndian.put16(segment, at + REMOTE_LID, remoteLid);
        localGid.emit(segment, at + LOCAL_GID);
        remoteGid.emit(segment, at + REMOTE_GID);
        BigEndian.put32(segment, at + FLOW_LABEL_AND_RATE, (flowLabel << 12) | packetRate);
        BigEndian.put8(segment, at + TRAFFIC_CLASS, trafficClass);
        BigEndian.put8(segment, at + HOP_LIMIT, hopLimit);
        BigEndian.put8(
                segment,
                at + SERVICE_LEVEL,
                (serviceLevel << 4) | Bits.of(subnetLocal, SUBNET_LOCAL));
        BigEndian.put8(segment, at + LOCAL_ACK_TIMEOUT, localAckTimeout << 3);
    }
}
