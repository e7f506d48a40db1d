package dev.verbena.wire.mad;

/// ClassPortInfo (IBA 13.4.8.1): what an agent of a management class can do, and where it is.
public enum ClassPortInfo implements MadField {
    BASE_VERSION(0, 8),
    CLASS_VERSION(1, 8),
    CAPABILITY_MASK(2, 16),
    CAPABILITY_MASK_2(4, 27),
    RESP_TIME_VALUE(7, 3, 5),
    REDIRECT_GID_HIGH(8, 64),
    REDIRECT_GID_LOW(16, 64),
    REDIRECT_TRAFFIC_CLASS(24, 8),
    REDIRECT_SL(25, 0, 4),
    REDIRECT_FLOW_LABEL(25, 4, 20),
    REDIRECT_LID(28, 16),
    REDIRECT_PKEY(30, 16),
    REDIRECT_QP(33, 24),
    REDIRECT_QKEY(36, 32),
    TRAP_GID_HIGH(40, 64),
    TRAP_GID_LOW(48, 64),
    TRAP_TRAFFIC_CLASS(56, 8),
    TRAP_SL(57, 0, 4),
    TRAP_FLOW_LABEL(57, 4, 20),
    TRAP_LID(60, 16),
    TRAP_PKEY(62, 16),
    TRAP_HOP_LIMIT(64, 8),
    TRAP_QP(65, 24),
    TRAP_QKEY(68, 32);

    public static final int ATTRIBUTE_ID = 0x01;
    public static final int LENGTH = 72;

    private final int bit;
    private final int width;

    ClassPortInfo(int at, int bit, int width) {
        this.bit = 8 * at + bit;
        this.width = width;
    }

    ClassPortInfo(int at, int width) {
        this(at, 0, width);
    }

    @Override
    public int bit() {
        return bit;
    }

    @Override
    public int width() {
        return width;
    }
}
