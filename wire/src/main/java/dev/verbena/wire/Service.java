package dev.verbena.wire;

/// Transport services: the upper three bits of a BTH opcode (IBA 9.2.1).
public enum Service {
    RC(0x00, "RC", "reliable connection"),
    UC(0x20, "UC", "unreliable connection"),
    RD(0x40, "RD", "reliable datagram"),
    UD(0x60, "UD", "unreliable datagram"),
    CNP(0x80, "CNP", "congestion notification"),
    XRC(0xA0, "XRC", "extended reliable connection"),
    MANUFACTURER_6(0xC0, "MFR6", "manufacturer's"),
    MANUFACTURER_7(0xE0, "MFR7", "manufacturer's");

    private static final Service[] BY_BITS = values();

    static {
        for (int bits = 0; bits < BY_BITS.length; bits++) {
            assert BY_BITS[bits].code == bits << 5 : "services stand in the order of their codes";
        }
    }

    private final int code;
    private final String title;
    private final String words;

    Service(int code, String title, String words) {
        this.code = code;
        this.title = title;
        this.words = words;
    }

    public static Service of(int opcode) {
        return BY_BITS[(opcode >> 5) & 7];
    }

    /// The three bits, in their place in the opcode.
    public int code() {
        return code;
    }

    public String title() {
        return title;
    }

    public String words() {
        return words;
    }

    /// Whether each request is acknowledged.
    public boolean isReliable() {
        return this == RC || this == RD || this == XRC;
    }
}
