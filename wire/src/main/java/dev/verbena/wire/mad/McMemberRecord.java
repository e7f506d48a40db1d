package dev.verbena.wire.mad;

/// MCMemberRecord (IBA 15.2.5.17): a multicast group, and one of its members.
public enum McMemberRecord implements MadField {
    MGID_HIGH(0, 64),
    MGID_LOW(8, 64),
    PORT_GID_HIGH(16, 64),
    PORT_GID_LOW(24, 64),
    QKEY(32, 32),
    MLID(36, 16),
    MTU_SELECTOR(38, 0, 2),
    MTU(38, 2, 6),
    TRAFFIC_CLASS(39, 8),
    PKEY(40, 16),
    RATE_SELECTOR(42, 0, 2),
    RATE(42, 2, 6),
    PACKET_LIFE_TIME_SELECTOR(43, 0, 2),
    PACKET_LIFE_TIME(43, 2, 6),
    SL(44, 0, 4),
    FLOW_LABEL(44, 4, 20),
    HOP_LIMIT(47, 8),
    SCOPE(48, 0, 4),
    /// 1 full member, 2 non-member, 4 send only.
    JOIN_STATE(48, 4, 4),
    PROXY_JOIN(49, 0, 1);

    public static final int ATTRIBUTE_ID = 0x38;
    public static final int LENGTH = 52;

    private final int bit;
    private final int width;

    McMemberRecord(int at, int bit, int width) {
        this.bit = 8 * at + bit;
        this.width = width;
    }

    McMemberRecord(int at, int width) {
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
