package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/// A global identifier (IBA 4.1.1): 128 bits that name a port, written as an IPv6 address is.
///
/// On RoCE v2 it is the port's IP address; an IPv4 address takes the mapped form `::ffff:a.b.c.d`.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 64 | high: subnet prefix |
/// | 8 | 64 | low: interface identifier |
public record Gid(long high, long low) {
    public static final int LENGTH = 16;
    public static final Gid ZERO = new Gid(0, 0);

    private static final int HIGH = 0;
    private static final int LOW = 8;
    private static final long IPV4_PREFIX = 0xFFFFL;

    public static long high(MemorySegment segment, long at) {
        return BigEndian.i64(segment, at + HIGH);
    }

    public static long low(MemorySegment segment, long at) {
        return BigEndian.i64(segment, at + LOW);
    }

    public static Gid parse(MemorySegment segment, long at) {
        return new Gid(high(segment, at), low(segment, at));
    }

    /// The mapped form of an IPv4 address given as its 32 bits.
    public static Gid ofIpv4(int address) {
        return new Gid(0, (IPV4_PREFIX << 32) | (address & 0xFFFF_FFFFL));
    }

    /// Reads the text forms of RFC 4291 2.2: eight groups, `::` for a run of zeros, and a dotted
    /// quad in place of the last two groups. Asks no resolver, and takes neither a zone nor a bare
    /// IPv4 address.
    public static Gid ofText(String text) {
        return GidText.parse(text);
    }

    public void emit(MemorySegment segment, long at) {
        BigEndian.put64(segment, at + HIGH, high);
        BigEndian.put64(segment, at + LOW, low);
    }

    public boolean isZero() {
        return (high | low) == 0;
    }

    public boolean isIpv4Mapped() {
        return high == 0 && low >>> 32 == IPV4_PREFIX;
    }

    /// The IPv4 address of the mapped form, as 32 bits.
    public int ipv4() {
        if (!isIpv4Mapped()) {
            throw new WireException("gid " + this + " is not an IPv4-mapped address");
        }
        return (int) low;
    }

    /// The text form of RFC 5952: lower case, the first of the longest runs of zeros as `::`, and
    /// an IPv4-mapped address with a dotted quad.
    @Override
    public String toString() {
        return GidText.format(this);
    }
}
