package dev.verbena.wire.mad;

/// SwitchInfo (IBA 14.2.5.4): sizes and defaults of the tables of a switch.
public enum SwitchInfo implements MadField {
    LINEAR_FDB_CAP(0, 16),
    RANDOM_FDB_CAP(2, 16),
    MULTICAST_FDB_CAP(4, 16),
    /// The highest LID that the linear table forwards.
    LINEAR_FDB_TOP(6, 16),
    DEFAULT_PORT(8, 8),
    DEFAULT_MULTICAST_PRIMARY_PORT(9, 8),
    DEFAULT_MULTICAST_NOT_PRIMARY_PORT(10, 8),
    LIFE_TIME_VALUE(11, 0, 5),
    /// A port has changed its state; 1 clears it.
    PORT_STATE_CHANGE(11, 5, 1),
    OPTIMIZED_SL_TO_VL(11, 6, 2),
    LIDS_PER_PORT(12, 16),
    PARTITION_ENFORCEMENT_CAP(14, 16),
    INBOUND_ENFORCEMENT_CAP(16, 0, 1),
    OUTBOUND_ENFORCEMENT_CAP(16, 1, 1),
    FILTER_RAW_INBOUND_CAP(16, 2, 1),
    FILTER_RAW_OUTBOUND_CAP(16, 3, 1),
    ENHANCED_PORT_ZERO(16, 4, 1),
    MULTICAST_FDB_TOP(18, 16);

    public static final int ATTRIBUTE_ID = 0x12;
    public static final int LENGTH = 20;

    private final int bit;
    private final int width;

    SwitchInfo(int at, int bit, int width) {
        this.bit = 8 * at + bit;
        this.width = width;
    }

    SwitchInfo(int at, int width) {
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
