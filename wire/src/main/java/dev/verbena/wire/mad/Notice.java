package dev.verbena.wire.mad;

/// Notice (IBA 13.4.8.2): the content of a trap, which a node sends when something has happened.
/// The details, from byte 10 on, are those of [TrapDetails] and others by trap number.
public enum Notice implements MadField {
    /// Whether a producer type and a trap number follow, not a vendor's own.
    IS_GENERIC(0, 0, 1),
    /// 0 fatal, 1 urgent, 2 security, 3 subnet management, 4 information.
    TYPE(0, 1, 7),
    /// As a node's type; 4: a class manager.
    PRODUCER_TYPE(1, 24),
    TRAP_NUMBER(4, 16),
    ISSUER_LID(6, 16),
    NOTICE_TOGGLE(8, 0, 1),
    NOTICE_COUNT(8, 1, 15);

    public static final int ATTRIBUTE_ID = 0x02;
    public static final int LENGTH = 64;

    /// Where the details begin.
    public static final int DETAILS = 10;

    /// A port of a switch has changed its state.
    public static final int LINK_STATE_CHANGE = 128;

    /// Capabilities of a port, or its description, have changed.
    public static final int LOCAL_CHANGES = 144;

    /// A datagram came with a wrong M_Key.
    public static final int BAD_M_KEY = 256;

    private final int bit;
    private final int width;

    Notice(int at, int bit, int width) {
        this.bit = 8 * at + bit;
        this.width = width;
    }

    Notice(int at, int width) {
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
