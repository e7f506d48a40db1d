package dev.verbena.wire.mad;

/// PortCounters (IBA 16.1.3.5): the counters of a port, which stop at their highest value. Data
/// counts words of four bytes.
public enum PortCounters implements MadField {
    /// 255: the sum of all ports.
    PORT_SELECT(1, 8),
    /// Which counters a Set writes; bit 0 is the first.
    COUNTER_SELECT(2, 16),
    SYMBOL_ERROR(4, 16),
    LINK_ERROR_RECOVERY(6, 8),
    LINK_DOWNED(7, 8),
    RCV_ERRORS(8, 16),
    RCV_REMOTE_PHYSICAL_ERRORS(10, 16),
    RCV_SWITCH_RELAY_ERRORS(12, 16),
    XMIT_DISCARDS(14, 16),
    XMIT_CONSTRAINT_ERRORS(16, 8),
    RCV_CONSTRAINT_ERRORS(17, 8),
    COUNTER_SELECT_2(18, 8),
    LOCAL_LINK_INTEGRITY_ERRORS(19, 0, 4),
    EXCESSIVE_BUFFER_OVERRUN_ERRORS(19, 4, 4),
    QP1_DROPPED(20, 16),
    VL15_DROPPED(22, 16),
    XMIT_DATA(24, 32),
    RCV_DATA(28, 32),
    XMIT_PKTS(32, 32),
    RCV_PKTS(36, 32),
    /// Ticks in which a packet waited for credit.
    XMIT_WAIT(40, 32);

    public static final int ATTRIBUTE_ID = 0x12;
    public static final int LENGTH = 44;

    /// Instead of a port: all of them.
    public static final int ALL_PORTS = 255;

    private final int bit;
    private final int width;

    PortCounters(int at, int bit, int width) {
        this.bit = 8 * at + bit;
        this.width = width;
    }

    PortCounters(int at, int width) {
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
