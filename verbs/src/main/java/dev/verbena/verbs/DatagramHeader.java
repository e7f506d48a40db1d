package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The header before every received datagram: its source and its destination.
///
/// It occupies the first 40 bytes of the memory of the receive request and is valid when
/// [Completion#hasGlobalHeader] is true. It is the GRH on InfiniBand and RoCE v1 and the IPv6
/// header on RoCE v2. With RoCE v2 over IPv4, the last 20 bytes are the IPv4 header.
public final class DatagramHeader {
    /// Bytes to reserve before the payload; [Completion#byteLength] includes them.
    public static final int LENGTH = 40;

    private static final int IPV4_AT = 20;
    private static final int IPV4_LENGTH = 20;
    private static final int IPV4_START = 0x45;
    private static final int IPV4_PROTOCOL = IPV4_AT + 9;
    private static final int IPV4_CHECKSUM = IPV4_AT + 10;
    private static final int IPV6_START = 0x60;
    private static final int UDP = 17;
    private static final int SOURCE = 8;
    private static final int DESTINATION = 24;
    private static final int IPV4_SOURCE = IPV4_AT + 12;
    private static final int IPV4_DESTINATION = IPV4_AT + 16;

    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private DatagramHeader() {}

    /// Whether the last 20 bytes are an IPv4 header: only the checksum shows this, and the bytes
    /// before it may have any value.
    public static boolean isIpv4(MemorySegment segment, long at) {
        if ((segment.get(ValueLayout.JAVA_BYTE, at + IPV4_AT) & 0xFF) != IPV4_START) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < IPV4_LENGTH; i += 2) {
            sum += segment.get(SHORT, at + IPV4_AT + i) & 0xFFFF;
        }
        sum = (sum & 0xFFFF) + (sum >>> 16);
        sum = (sum & 0xFFFF) + (sum >>> 16);
        return sum == 0xFFFF || isUnfinished(segment, at);
    }

    /// A packet that never left the host may have no checksum: Linux Soft-RoCE delivers it so. Its
    /// protocol is still UDP, and the bytes before it do not look like IPv6.
    private static boolean isUnfinished(MemorySegment segment, long at) {
        return segment.get(SHORT, at + IPV4_CHECKSUM) == 0
                && segment.get(ValueLayout.JAVA_BYTE, at + IPV4_PROTOCOL) == UDP
                && (segment.get(ValueLayout.JAVA_BYTE, at) & 0xF0) != IPV6_START;
    }

    /// The GID of the sender.
    public static Gid source(MemorySegment segment, long at) {
        return gid(segment, at, SOURCE, IPV4_SOURCE);
    }

    /// The destination: one of the local GIDs, or a multicast group.
    public static Gid destination(MemorySegment segment, long at) {
        return gid(segment, at, DESTINATION, IPV4_DESTINATION);
    }

    public static int trafficClass(MemorySegment segment, long at) {
        return isIpv4(segment, at)
                ? segment.get(ValueLayout.JAVA_BYTE, at + IPV4_AT + 1) & 0xFF
                : segment.get(INT, at) >>> 20 & 0xFF;
    }

    /// 20 bits; 0 with IPv4.
    public static int flowLabel(MemorySegment segment, long at) {
        return isIpv4(segment, at) ? 0 : segment.get(INT, at) & 0xF_FFFF;
    }

    private static Gid gid(MemorySegment segment, long at, int long6, int short4) {
        return isIpv4(segment, at)
                ? Gid.ofIpv4(segment.get(INT, at + short4))
                : new Gid(segment.get(LONG, at + long6), segment.get(LONG, at + long6 + 8));
    }
}
