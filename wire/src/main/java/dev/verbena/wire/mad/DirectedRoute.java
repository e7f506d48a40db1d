package dev.verbena.wire.mad;

/// A directed route (IBA 14.2.1.2): a datagram that names the ports by which it goes, so that it
/// needs no forwarding table. Counted from the first byte of the datagram; [RouteStep] moves it on.
public enum DirectedRoute implements MadField {
    /// 1: on its way back.
    DIRECTION(4, 0, 1),
    STATUS(4, 1, 15),
    HOP_POINTER(6, 8),
    HOP_COUNT(7, 8),
    M_KEY(24, 64),
    /// Where a part by LID begins; all ones: there is none.
    DR_SLID(32, 16),
    /// Where a part by LID ends.
    DR_DLID(34, 16);

    public static final int LENGTH = 256;

    /// Instead of a LID: the route has no part by LID.
    public static final int PERMISSIVE = 0xFFFF;

    public static final int HOPS_MAX = 63;
    public static final int INITIAL_PATH = 128;
    public static final int RETURN_PATH = 192;

    private final int bit;
    private final int width;

    DirectedRoute(int at, int bit, int width) {
        this.bit = 8 * at + bit;
        this.width = width;
    }

    DirectedRoute(int at, int width) {
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
