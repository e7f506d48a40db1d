package dev.verbena.wire;

/// Path MTUs: how many payload bytes one packet may carry (IBA 5.2.6, codes as in verbs).
public enum PathMtu {
    MTU_256(1, 256),
    MTU_512(2, 512),
    MTU_1024(3, 1024),
    MTU_2048(4, 2048),
    MTU_4096(5, 4096);

    /// The largest payload any InfiniBand or RoCE packet carries.
    public static final int MAX_BYTES = 4096;

    private final int code;
    private final int bytes;

    PathMtu(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    public int code() {
        return code;
    }

    public int bytes() {
        return bytes;
    }

    /// Whether a length is exactly one of the five path MTUs.
    public static boolean isExactly(int bytes) {
        return bytes >= 256 && bytes <= MAX_BYTES && Integer.bitCount(bytes) == 1;
    }
}
