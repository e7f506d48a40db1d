package dev.verbena.wire.mad;

/// ServiceRecord (IBA 15.2.5.14): a service that a port offers, for a time. Name and data follow by
/// [#NAME].
public enum ServiceRecord implements MadField {
    SERVICE_ID(0, 64),
    SERVICE_GID_HIGH(8, 64),
    SERVICE_GID_LOW(16, 64),
    SERVICE_PKEY(24, 16),
    /// Seconds; all ones: for ever.
    SERVICE_LEASE(28, 32),
    SERVICE_KEY_HIGH(32, 64),
    SERVICE_KEY_LOW(40, 64);

    public static final int ATTRIBUTE_ID = 0x31;
    public static final int LENGTH = 176;

    public static final int NAME = 48;
    public static final int NAME_LENGTH = 64;
    public static final int DATA = 112;
    public static final int DATA_LENGTH = 64;

    private final int bit;
    private final int width;

    ServiceRecord(int at, int width) {
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
