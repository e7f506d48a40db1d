package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.BigEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `sockaddr_in` and `sockaddr_in6` of Linux, in place.
final class SocketAddress {
    static final int INET = 2;
    static final int INET6 = 10;

    /// The longer of the two.
    static final int LENGTH_MAX = 28;

    private static final int LENGTH_INET = 16;
    private static final int PORT = 2;
    private static final int ADDRESS_INET = 4;
    private static final int ADDRESS_INET6 = 8;
    private static final int SCOPE = 24;

    private SocketAddress() {}

    static int family(Gid gid) {
        return gid.isIpv4() ? INET : INET6;
    }

    /// Bytes that the address of this family takes.
    static int length(int family) {
        return family == INET ? LENGTH_INET : LENGTH_MAX;
    }

    /// Writes an address; returns its length.
    ///
    /// @param scope the interface, which a link-local address needs to mean anything
    static int put(MemorySegment to, Gid gid, int port, int scope) {
        to.fill((byte) 0);
        int family = family(gid);
        to.set(ValueLayout.JAVA_SHORT, 0, (short) family);
        BigEndian.put16(to, PORT, port);
        if (family == INET) {
            BigEndian.put32(to, ADDRESS_INET, (int) gid.low());
        } else {
            BigEndian.put64(to, ADDRESS_INET6, gid.high());
            BigEndian.put64(to, ADDRESS_INET6 + 8, gid.low());
            to.set(ValueLayout.JAVA_INT, SCOPE, scope);
        }
        return length(family);
    }

    static int port(MemorySegment from) {
        return BigEndian.u16(from, PORT);
    }

    /// The upper half of the address as a GID.
    static long high(MemorySegment from, int family) {
        return family == INET ? 0 : BigEndian.i64(from, ADDRESS_INET6);
    }

    /// The lower half of the address as a GID.
    static long low(MemorySegment from, int family) {
        return family == INET
                ? Gid.lowOfIpv4(BigEndian.i32(from, ADDRESS_INET))
                : BigEndian.i64(from, ADDRESS_INET6 + 8);
    }
}
