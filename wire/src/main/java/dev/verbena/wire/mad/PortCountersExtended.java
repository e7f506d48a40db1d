package dev.verbena.wire.mad;

/// PortCountersExtended (IBA 16.1.4.11): the data counters of a port with 64 bits.
public enum PortCountersExtended implements MadField {
    PORT_SELECT(1, 8),
    COUNTER_SELECT(2, 16),
    COUNTER_SELECT_2(4, 32),
    XMIT_DATA(8, 64),
    RCV_DATA(16, 64),
    XMIT_PKTS(24, 64),
    RCV_PKTS(32, 64),
    UNICAST_XMIT_PKTS(40, 64),
    UNICAST_RCV_PKTS(48, 64),
    MULTICAST_XMIT_PKTS(56, 64),
    MULTICAST_RCV_PKTS(64, 64);

    public static final int ATTRIBUTE_ID = 0x1D;
    public static final int LENGTH = 72;

    private final int bit;
    private final int width;

    PortCountersExtended(int at, int width) {
        bit = 8 * at;
        this.width = width;
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
