package dev.verbena.verbs;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/// Global identifier: 128 bits that name a port, in the shape of an IPv6 address (IBA 4.1.1).
///
/// An IPv4 address is the GID `::ffff:a.b.c.d`.
public record Gid(long high, long low) {
    /// The GID of nobody.
    public static final Gid NONE = new Gid(0, 0);

    public static final int LENGTH = 16;

    private static final long MAPPED = 0xFFFF_0000_0000L;
    private static final long MAPPED_MASK = 0xFFFF_FFFF_0000_0000L;

    public static Gid of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return address instanceof Inet4Address
                ? new Gid(0, MAPPED | (bytes.getInt() & 0xFFFF_FFFFL))
                : new Gid(bytes.getLong(), bytes.getLong());
    }

    /// Reads an IPv4 or IPv6 literal; never asks a name server.
    public static Gid parse(String literal) {
        try {
            return of(InetAddress.ofLiteral(literal));
        } catch (IllegalArgumentException malformed) {
            throw new InvalidRequestException(
                    "gid", "'" + literal + "' is no IPv4 or IPv6 literal", "write it as fe80::1");
        }
    }

    public boolean isIpv4() {
        return high == 0 && (low & MAPPED_MASK) == MAPPED;
    }

    /// The same bits as an address; an [Inet4Address] where they are a mapped IPv4 address.
    public InetAddress toInetAddress() {
        byte[] bytes = ByteBuffer.allocate(LENGTH).putLong(high).putLong(low).array();
        try {
            return isIpv4() ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new AssertionError("sixteen bytes are always an address", impossible);
        }
    }

    @Override
    public String toString() {
        return toInetAddress().getHostAddress();
    }
}
