package dev.verbena.wire.mad;

/// The status of an answer (IBA 13.4.7); the high byte belongs to each class.
public final class MadStatus {
    public static final int OK = 0;
    public static final int BUSY = 0x01;
    public static final int BAD_VERSION = 0x04;
    public static final int METHOD_UNSUPPORTED = 0x08;
    public static final int ATTRIBUTE_UNSUPPORTED = 0x0C;
    public static final int INVALID_VALUE = 0x1C;

    private MadStatus() {}
}
