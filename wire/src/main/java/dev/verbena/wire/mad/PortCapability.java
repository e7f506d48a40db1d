package dev.verbena.wire.mad;

/// Bits of the capability mask of a [PortInfo] (IBA 14.2.5.6) that this project uses.
public final class PortCapability {
    public static final int IS_SM = 1 << 1;
    public static final int TRAP = 1 << 3;
    public static final int SL_MAPPING = 1 << 6;
    public static final int SYSTEM_IMAGE_GUID = 1 << 11;
    public static final int EXTENDED_SPEEDS = 1 << 14;
    public static final int COMMUNICATION_MANAGEMENT = 1 << 16;
    public static final int CAPABILITY_MASK_NOTICE = 1 << 22;
    public static final int CLIENT_REREGISTER = 1 << 25;

    private PortCapability() {}
}
