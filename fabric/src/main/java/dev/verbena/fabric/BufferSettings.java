package dev.verbena.fabric;

/// How an Ethernet switch shares its memory out.
///
/// @param totalBytes of all ports together
/// @param lossless a bit for each priority that is paused before anything is dropped
/// @param xoffBytes of one priority of one port, above which the neighbour is paused; 0 for a
///   threshold that follows what is free, by `alpha`
/// @param xonBytes how far below the threshold it must be for the neighbour to go on
/// @param headroomBytes of one priority of one port above the threshold, for what comes before the
///   neighbour stops
/// @param alpha of what is free, the part that one queue may have (Choudhury and Hahne's dynamic
///   threshold)
public record BufferSettings(
        long totalBytes,
        int lossless,
        int xoffBytes,
        int xonBytes,
        int headroomBytes,
        double alpha) {
    /// So much that nothing is dropped.
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
