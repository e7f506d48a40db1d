package dev.verbena.wire.mad;

/// SMInfo (IBA 14.2.5.13): a subnet manager, as it tells others.
public enum SmInfo implements MadField {
    GUID(0, 64),
    SM_KEY(8, 64),
    /// Grows while the manager is alive.
    ACT_COUNT(16, 32),
    PRIORITY(20, 0, 4),
    /// 0 not active, 1 discovering, 2 standby, 3 master.
    SM_STATE(20, 4, 4);

    public static final int ATTRIBUTE_ID = 0x20;
    public static final int LENGTH = 21;

    private final int bit;
    private final int width;

    SmInfo(int at, int bit, int width) {
        this.bit = 8 * at + bit;
        this.width = width;
    }

    SmInfo(int at, int width) {
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
