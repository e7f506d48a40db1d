package dev.verbena.verbs;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;

/// Global identifier: 128 bits that name a port, in the shape of an IPv6 address (IBA 4.1.1).
///
/// An IPv4 address is the GID `::ffff:a.b.c.d`.
public record Gid(long high, long low) {
    /// The null GID, which names no port.
    public static final Gid NONE = new Gid(0, 0);

    public static final int LENGTH = 16;

    private static final long MAPPED = 0xFFFF_0000_0000L;
    private static final long MAPPED_MASK = 0xFFFF_FFFF_0000_0000L;
    // The JDK also accepts these as literals: "1.2", "10", brackets, and zones, which a GID does
    // not have.
    private static final Pattern FOREIGN = Pattern.compile(".*[%\\[].*|(\\d+\\.){0,2}\\d+");
    private static final int GROUPS = 8;

    public static Gid of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return address instanceof Inet4Address
                ? ofIpv4(bytes.getInt())
                : new Gid(bytes.getLong(), bytes.getLong());
    }

    /// The GID of an IPv4 address given as its 32 bits.
    public static Gid ofIpv4(int address) {
        return new Gid(0, lowOfIpv4(address));
    }

    /// The lower half of that GID; the upper half is 0.
    public static long lowOfIpv4(int address) {
        return MAPPED | (address & 0xFFFF_FFFFL);
    }

    /// The address of a peer.
    ///
    /// @throws InvalidRequestException when its name was not resolved
    public static Gid of(InetSocketAddress peer) {
        InetAddress address = peer.getAddress();
        if (address == null) {
            throw new InvalidRequestException(
                    "peer " + peer.getHostString(),
                    "no address is known for the name",
                    "check the name, or use the address");
        }
        return of(address);
    }

    /// Reads an IPv4 or IPv6 literal without a zone; never queries a name server.
    public static Gid parse(String literal) {
        try {
            if (!FOREIGN.matcher(literal).matches()) {
                return of(InetAddress.ofLiteral(literal));
            }
        } catch (IllegalArgumentException malformed) {
            // The exception below reports this with our own message.
        }
        throw new InvalidRequestException(
                "gid",
                "'" + literal + "' is not an IPv4 or IPv6 address",
                "write it as fe80::1 or 192.0.2.10, without a zone");
    }

    public boolean isIpv4() {
        return isIpv4(high, low);
    }

    /// The same for a GID in two halves.
    public static boolean isIpv4(long high, long low) {
        return high == 0 && (low & MAPPED_MASK) == MAPPED;
    }

    /// Whether the GID names a multicast group (IBA 4.1.1): ff00::/8, and the IPv4 addresses
    /// 224.0.0.0/4.
    public boolean isMulticast() {
        return isMulticast(high, low);
    }

    /// The same for a GID in two halves.
    public static boolean isMulticast(long high, long low) {
        return isIpv4(high, low) ? (low >>> 28 & 0xF) == 0xE : high >>> 56 == 0xFF;
    }

    /// The same bits as an address; an [Inet4Address] for a mapped IPv4 address.
    public InetAddress toInetAddress() {
        byte[] bytes = ByteBuffer.allocate(LENGTH).putLong(high).putLong(low).array();
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new AssertionError("sixteen bytes are always an address", impossible);
        }
    }

    /// The form that [#parse] reads: an IPv4 address as four numbers, any other address as in RFC
    /// 5952, with `::` for the first of the longest runs of zeros.
    @Override
    public String toString() {
        if (isIpv4()) {
            return toInetAddress().getHostAddress();
        }
        int runAt = -1;
        int run = 1; // A single zero is written out.
        for (int at = 0; at < GROUPS; at++) {
            int end = at;
            while (end < GROUPS && group(end) == 0) {
                end++;
            }
            if (end - at > run) {
                runAt = at;
                run = end - at;
            }
        }
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < GROUPS) {
            if (at == runAt) {
                text.append("::");
                at += run;
            } else {
                boolean first = text.isEmpty() || text.charAt(text.length() - 1) == ':';
                text.append(first ? "" : ":").append(Integer.toHexString(group(at)));
                at++;
            }
        }
        return text.toString();
    }

    private int group(int index) {
        long half = index < GROUPS / 2 ? high : low;
        return (int) (half >>> (48 - 16 * (index % 4))) & 0xFFFF;
    }
}
