package dev.verbena.wire.mad;

/// NodeInfo (IBA 14.2.5.3): what a node is, and by which port it answers. Only read.
public enum NodeInfo implements MadField {
    BASE_VERSION(0, 8),
    CLASS_VERSION(1, 8),
    /// 1 channel adapter, 2 switch, 3 router.
    NODE_TYPE(2, 8),
    /// Physical ports; port 0 of a switch is not one of them.
    NUM_PORTS(3, 8),
    SYSTEM_IMAGE_GUID(4, 64),
    NODE_GUID(12, 64),
    /// Of a switch the same as the node's.
    PORT_GUID(20, 64),
    /// Entries of the partition table.
    PARTITION_CAP(28, 16),
    DEVICE_ID(30, 16),
    REVISION(32, 32),
    /// The port by which the question came.
    LOCAL_PORT_NUM(36, 8),
    VENDOR_ID(37, 24);

    public static final int ATTRIBUTE_ID = 0x11;
    public static final int LENGTH = 40;

    public static final int CHANNEL_ADAPTER = 1;
    public static final int SWITCH = 2;
    public static final int ROUTER = 3;

    private final int bit;
    private final int width;

    NodeInfo(int at, int width) {
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
