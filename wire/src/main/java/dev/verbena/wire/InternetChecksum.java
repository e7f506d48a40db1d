package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// The ones' complement sum of IPv4 and UDP (RFC 1071).
public final class InternetChecksum {
    private InternetChecksum() {}

    /// Adds an even number of bytes to a running sum, which starts at zero.
    public static long add(long sum, MemorySegment segment, long at, int length) {
        assert (length & 1) == 0;
        long total = sum;
        for (int i = 0; i < length; i += 2) {
            total += BigEndian.u16(segment, at + i);
        }
        return total;
    }

    /// Folds the sum to the sixteen bits that go on the wire.
    public static int fold(long sum) {
        long folded = sum;
        while (folded >>> 16 != 0) {
            folded = (folded & 0xFFFF) + (folded >>> 16);
        }
        return (int) ~folded & 0xFFFF;
    }
}
