package dev.verbena.wire.mad;

/// The headers of subnet administration behind the common one (IBA 13.6.2.1 and 15.2.1.1): RMPP,
/// which carries answers of many datagrams, and what the SA adds. Counted from the first byte of
/// the datagram.
public enum SaHeader implements MadField {
    /// 1; 0 where RMPP is not used.
    RMPP_VERSION(24, 8),
    /// 1 data, 2 acknowledgement, 3 stop, 4 abort.
    RMPP_TYPE(25, 8),
    RESP_TIME(26, 0, 5),
    /// 1 active, 2 first, 4 last.
    RMPP_FLAGS(26, 5, 3),
    RMPP_STATUS(27, 8),
    /// From 1; in an acknowledgement, the last one that arrived in order.
    SEGMENT_NUMBER(28, 32),
    /// In an acknowledgement, the last segment that may be sent.
    PAYLOAD_LENGTH(32, 32),
    SM_KEY(36, 64),
    /// Length of a record, in units of 8 bytes.
    ATTRIBUTE_OFFSET(44, 16),
    /// Bit i: the i-th field of the record is to match.
    COMPONENT_MASK(48, 64);

    public static final int LENGTH = 56;

    /// Where the record is.
    public static final int DATA = 56;

    /// Bytes of records that a datagram holds.
    public static final int DATA_LENGTH = Mad.LENGTH_TOTAL - DATA;

    public static final int CLASS_VERSION = 2;

    private final int bit;
    private final int width;

    SaHeader(int at, int bit, int width) {
        this.bit = 8 * at + bit;
        this.width = width;
    }

    SaHeader(int at, int width) {
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
