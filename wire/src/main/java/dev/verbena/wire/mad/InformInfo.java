package dev.verbena.wire.mad;

/// InformInfo (IBA 13.4.8.3): asks for the traps of some nodes to be passed on.
public enum InformInfo implements MadField {
    GID_HIGH(0, 64),
    GID_LOW(8, 64),
    /// All ones: every LID.
    LID_RANGE_BEGIN(16, 16),
    LID_RANGE_END(18, 16),
    IS_GENERIC(22, 8),
    SUBSCRIBE(23, 8),
    TYPE(24, 16),
    TRAP_NUMBER(26, 16),
    QPN(28, 24),
    RESP_TIME_VALUE(31, 3, 5),
    PRODUCER_TYPE(33, 24);

    public static final int ATTRIBUTE_ID = 0x03;
    public static final int LENGTH = 36;

    private final int bit;
    private final int width;

    InformInfo(int at, int bit, int width) {
        this.bit = 8 * at + bit;
        this.width = width;
    }

    InformInfo(int at, int width) {
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
