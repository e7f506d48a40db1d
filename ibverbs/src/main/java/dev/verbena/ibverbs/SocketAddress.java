package dev.verbena.ibverbs;

import dev.verbena.verbs.Gid;

/// An IP address and a port as sockets hold them: `struct sockaddr_in` and `sockaddr_in6`.
///
/// @param gid the address; one of IPv4 is mapped
/// @param scope the number of the network interface, which addresses of a link need; else 0
record SocketAddress(Gid gid, int port, int scope) {
    /// Room for either.
    static final int SIZE = 28;

    static final int IPV4 = 2;
    static final int IPV6 = 10;

    private static final int PORT = 2;
    private static final int ADDRESS_4 = 4;
    private static final int ADDRESS_6 = 8;
    private static final int SCOPE = 24;

    int family() {
        return gid.isIpv4() ? IPV4 : IPV6;
    }

    void write(long at) {
        Memory.clear(at, SIZE);
        Memory.putShort(at, family());
        Memory.putShort(at + PORT, Short.reverseBytes((short) port));
        if (gid.isIpv4()) {
            Memory.putInt(at + ADDRESS_4, Integer.reverseBytes((int) gid.low()));
        } else {
            QueuePairCodec.write(at + ADDRESS_6, gid);
            Memory.putInt(at + SCOPE, scope);
        }
    }

    /// Reads an address; the result has [Gid#NONE] for another address family.
    static SocketAddress read(long at) {
        int port = Short.toUnsignedInt(Short.reverseBytes((short) Memory.getShort(at + PORT)));
        return switch (Memory.getShort(at)) {
            case IPV4 -> {
                int address = Integer.reverseBytes(Memory.getInt(at + ADDRESS_4));
                Gid gid = Gid.ofIpv4(address);
                yield new SocketAddress(gid, port, 0);
            }
            case IPV6 ->
                    new SocketAddress(
                            QueuePairCodec.gid(at + ADDRESS_6), port, Memory.getInt(at + SCOPE));
            default -> new SocketAddress(Gid.NONE, 0, 0);
        };
    }
}
