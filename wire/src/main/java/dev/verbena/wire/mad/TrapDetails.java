package dev.verbena.wire.mad;

/// Details of the traps that a subnet manager acts on (IBA 14.2.5.1), counted from the first byte
/// of the [Notice].
public enum TrapDetails implements MadField {
    /// The switch.
    TRAP_128_LID(10, 16),
    TRAP_144_LID(12, 16),
    TRAP_144_OTHER_LOCAL_CHANGES(15, 7, 1),
    TRAP_144_CAPABILITY_MASK(16, 32),
    /// 1 description, 2 width enabled, 4 speed enabled.
    TRAP_144_CHANGE_FLAGS(20, 16),
    TRAP_256_LID(12, 16),
    TRAP_256_DR_SLID(14, 16),
    TRAP_256_METHOD(16, 8),
    TRAP_256_ATTRIBUTE_ID(18, 16),
    TRAP_256_ATTRIBUTE_MODIFIER(20, 32),
    /// The key that was wrong.
    TRAP_256_M_KEY(24, 64),
    TRAP_256_DR_NOTICE(33, 0, 1),
    TRAP_256_DR_PATH_TRUNCATED(33, 1, 1),
    TRAP_256_DR_HOP_COUNT(33, 2, 6);

    public static final int LENGTH = 64;

    /// The way back of a directed route, of which 30 bytes fit.
    public static final int TRAP_256_RETURN_PATH = 34;

    public static final int TRAP_256_RETURN_PATH_LENGTH = 30;

    private final int bit;
    private final int width;

    TrapDetails(int at, int bit, int width) {
        this.bit = 8 * at + bit;
        this.width = width;
    }

    TrapDetails(int at, int width) {
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
