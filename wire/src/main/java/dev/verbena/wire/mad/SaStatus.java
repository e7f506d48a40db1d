package dev.verbena.wire.mad;

/// The status of an answer of subnet administration (IBA 15.2.1.2), beside those of [MadStatus].
public final class SaStatus {
    public static final int NO_RESOURCES = 0x0100;
    public static final int REQUEST_INVALID = 0x0200;
    public static final int NO_RECORDS = 0x0300;
    public static final int TOO_MANY_RECORDS = 0x0400;
    public static final int INVALID_GID = 0x0500;
    public static final int INSUFFICIENT_COMPONENTS = 0x0600;
    public static final int DENIED = 0x0700;

    private SaStatus() {}
}
