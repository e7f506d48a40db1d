package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Headers as a device leaves them in front of a datagram, written a second time.
final class Headers {
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private Headers() {}

    /// A GRH, or an IPv6 header: both have the same fields in the same places.
    static void ipv6(
            MemorySegment to, long at, int trafficClass, int flowLabel, Gid source, Gid target) {
        to.set(INT, at, (6 << 28) | (trafficClass << 20) | flowLabel);
        to.set(INT, at + 4, (100 << 16) | (17 << 8) | 64);
        to.set(LONG, at + 8, source.high());
        to.set(LONG, at + 16, source.low());
        to.set(LONG, at + 24, target.high());
        to.set(LONG, at + 32, target.low());
    }

    /// An IPv4 header in the last 20 bytes; the first 20 keep what they held.
    static void ipv4(MemorySegment to, long at, int trafficClass, int source, int target) {
        long start = at + 20;
        to.set(INT, start, (0x45 << 24) | (trafficClass << 16) | 120);
        to.set(INT, start + 4, 0x1234_4000);
        to.set(INT, start + 8, (64 << 24) | (17 << 16));
        to.set(INT, start + 12, source);
        to.set(INT, start + 16, target);
        int sum = 0;
        for (int i = 0; i < 20; i += 2) {
            sum += to.get(SHORT, start + i) & 0xFFFF;
        }
        while ((sum >>> 16) != 0) {
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        to.set(SHORT, start + 10, (short) ~sum);
    }
}
