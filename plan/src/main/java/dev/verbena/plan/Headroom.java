package dev.verbena.plan;

/// Bytes that arrive at a port after it has asked its neighbour to pause.
public final class Headroom {
    private Headroom() {}

    /// As the mlx5 driver of Linux computes it: (301 + 2.16 m) bytes for each Gb/s, and 2.72 MTU.
    ///
    /// @param gbits rate of the link
    /// @param metres length of the cable
    /// @param mtu bytes of the largest payload
    public static long bytes(int gbits, double metres, int mtu) {
        return (long) ((301 + 2.16 * metres) * gbits + 2.72 * mtu);
    }
}
