package dev.verbena.wire.mad;

/// PathRecord (IBA 15.2.5.16): how to reach a port from another one.
public enum PathRecord implements MadField {
    SERVICE_ID(0, 64),
    DGID_HIGH(8, 64),
    DGID_LOW(16, 64),
    SGID_HIGH(24, 64),
    SGID_LOW(32, 64),
    DLID(40, 16),
    SLID(42, 16),
    RAW_TRAFFIC(44, 0, 1),
    FLOW_LABEL(44, 4, 20),
    HOP_LIMIT(47, 8),
    TRAFFIC_CLASS(48, 8),
    REVERSIBLE(49, 0, 1),
    NUMB_PATH(49, 1, 7),
    PKEY(50, 16),
    QOS_CLASS(52, 0, 12),
    SL(53, 4, 4),
    /// 0 greater than, 1 less than, 2 exactly, 3 the largest there is.
    MTU_SELECTOR(54, 0, 2),
    MTU(54, 2, 6),
    RATE_SELECTOR(55, 0, 2),
    RATE(55, 2, 6),
    PACKET_LIFE_TIME_SELECTOR(56, 0, 2),
    PACKET_LIFE_TIME(56, 2, 6),
    PREFERENCE(57, 8);

    public static final int ATTRIBUTE_ID = 0x35;
    public static final int LENGTH = 64;

    private final int bit;
    private final int width;

    PathRecord(int at, int bit, int width) {
        this.bit = 8 * at + bit;
        this.width = width;
    }

    PathRecord(int at, int width) {
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
