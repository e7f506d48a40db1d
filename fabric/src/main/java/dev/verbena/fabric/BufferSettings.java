package dev.verbena.fabric;

/// How an Ethernet switch divides its buffer between ports and priorities.
///
/// First each lossless priority of each port with a cable has its headroom; what is left is shared
/// by all.
///
/// @param totalBytes size of the buffer of all ports together
/// @param lossless a bit for each priority that is paused before it drops
/// @param xoffBytes bytes of one priority of one port above which the neighbour is paused; 0 for a
///   threshold of `alpha` times the free bytes
/// @param xonBytes how far below the threshold the level falls before the neighbour may send again
/// @param headroomBytes room per lossless priority and port for packets that arrive between the
///   pause and the neighbour's stop, or [#AS_THE_CABLE_NEEDS]
/// @param alpha share of the free bytes that one queue may use (Choudhury and Hahne's dynamic
///   threshold)
public record BufferSettings(
        long totalBytes,
        int lossless,
        int xoffBytes,
        int xonBytes,
        int headroomBytes,
        double alpha) {
    private static final double PS_BITS = 8e12;

    /// Large enough that no packet is dropped.
    public static final int UNLIMITED = 1 << 30;

    /// The headroom of a port is the least that drops nothing: see [#headroom].
    public static final int AS_THE_CABLE_NEEDS = -1;

    /// Packets at whose ends a port may have to wait: one that leaves before the pause frame, one
    /// that the neighbour has begun when it reads it, and the one that crosses the threshold.
    private static final int PACKETS_AROUND_A_PAUSE = 3;

    public BufferSettings {
        if (xoffBytes < 0 || xonBytes < 0 || headroomBytes < AS_THE_CABLE_NEEDS || totalBytes < 1) {
            throw new IllegalArgumentException("a buffer has no negative part");
        }
        if (xoffBytes > 0 && xonBytes > xoffBytes) {
            throw new IllegalArgumentException(
                    "xon %d is above xoff %d: the neighbour would never go on"
                            .formatted(xonBytes, xoffBytes));
        }
    }

    /// Fixed thresholds for all priorities.
    public static BufferSettings fixed(int xoffBytes, int xonBytes, int headroomBytes) {
        return new BufferSettings(Long.MAX_VALUE / 2, 0xFF, xoffBytes, xonBytes, headroomBytes, 1);
    }

    /// Bytes that may arrive at a port from the moment in which it pauses its neighbour: what the
    /// cable holds in both directions, the pause frame, and packets at either end.
    static int headroom(Cable cable, FabricSettings settings) {
        double held = 2.0 * cable.delayPs() * cable.rate().bitsPerSecond() / PS_BITS;
        return (int)
                Math.min(
                        UNLIMITED,
                        Math.ceil(held)
                                + settings.framing().controlBytes()
                                + PACKETS_AROUND_A_PAUSE * settings.largestWireBytes());
    }

    /// How many bytes the headroom of a port of this cable has.
    int headroomOf(Cable cable, FabricSettings settings) {
        return headroomBytes == AS_THE_CABLE_NEEDS ? headroom(cable, settings) : headroomBytes;
    }

    int losslessPriorities() {
        return Integer.bitCount(lossless & 0xFF);
    }

    boolean isLossless(int priority) {
        return (lossless & (1 << priority)) != 0;
    }
}
