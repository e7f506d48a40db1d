package dev.verbena.wire.mad;

/// LinkRecord (IBA 15.2.5.12): a cable, by the LIDs and ports of its ends.
public enum LinkRecord implements MadField {
    FROM_LID(0, 16),
    FROM_PORT(2, 8),
    TO_PORT(3, 8),
    TO_LID(4, 16);

    public static final int ATTRIBUTE_ID = 0x20;
    public static final int LENGTH = 8;

    private final int bit;
    private final int width;

    LinkRecord(int at, int width) {
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
