package dev.verbena.fabric;

/// How an Ethernet switch shares its buffer between ports and priorities.
///
/// @param totalBytes size of the buffer of all ports together
/// @param lossless a bit for each priority that is paused before it drops
/// @param xoffBytes bytes of one priority of one port above which the neighbour is paused; 0 for a
///   threshold of `alpha` times the free bytes
/// @param xonBytes how far below the threshold the level falls before the neighbour may send again
/// @param headroomBytes room above the threshold, per priority and port, for packets that arrive
///   before the neighbour stops
/// @param alpha share of the free bytes that one queue may use (Choudhury and Hahne's dynamic
///   threshold)
public record BufferSettings(
        long totalBytes,
        int lossless,
        int xoffBytes,
        int xonBytes,
        int headroomBytes,
        double alpha) {
    /// Large enough that no packet is dropped.
    public static final int UNLIMITED = 1 << 30;

    public BufferSettings {
        if (xoffBytes < 0 || xonBytes < 0 || headroomBytes < 0 || totalBytes < 1) {
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

    boolean isLossless(int priority) {
        return (lossless & (1 << priority)) != 0;
    }
}
