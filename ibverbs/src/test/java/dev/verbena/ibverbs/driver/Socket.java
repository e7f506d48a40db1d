package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.Gid;

/// An address and a port, as `struct sockaddr_in6` has them; the devices have no others.
///
/// @param gid the address
record Socket(Gid gid, int port) {
    static final Socket NONE = new Socket(Gid.NONE, 0);
    private static final CStruct LAYOUT =
            new CStruct(
                    "sockaddr_in6",
                    "u16 family",
                    "u8 port_high",
                    "u8 port_low",
                    "u32 flow",
                    "@8",
                    "u64 high",
                    "u64 low",
                    "u32 scope");
    private static final int IPV6 = 10;

    static Socket read(long at) {
        Refusal.unless(LAYOUT.get(at, "family") == IPV6, Refusal.EINVAL);
        int port = LAYOUT.getInt(at, "port_high") << 8 | LAYOUT.getInt(at, "port_low");
        return new Socket(Attributes.gid(at + LAYOUT.offset("high")), port);
    }

    void write(long at) {
        LAYOUT.put(at, "family", IPV6);
        LAYOUT.put(at, "port_high", port >> 8);
        LAYOUT.put(at, "port_low", port);
        Attributes.write(at + LAYOUT.offset("high"), gid);
    }

    Socket withPort(int value) {
        return new Socket(gid, value);
    }
}
