package dev.verbena.wire;

/// Explicit congestion notification: the low two bits of the IP traffic class (RFC 3168).
public enum Ecn {
    NOT_CAPABLE(0),
    CAPABLE_1(1),
    CAPABLE_0(2),
    CONGESTION(3);

    private final int code;

    Ecn(int code) {
        this.code = code;
    }

    public static Ecn of(int trafficClass) {
        return switch (trafficClass & 3) {
            case 0 -> NOT_CAPABLE;
            case 1 -> CAPABLE_1;
            case 2 -> CAPABLE_0;
            default -> CONGESTION;
        };
    }

    public int code() {
        return code;
    }
}
