package dev.verbena.fabric;

/// When a switch marks packets of a queue that grows long, as DCQCN's congestion point does: none
/// below one length, all above another, and in between a part that grows with the length.
///
/// Only packets that say so may be marked; others pass.
///
/// @param leastBytes of a queue, from which on packets are marked (Kmin)
/// @param mostBytes above which all are (Kmax)
/// @param share of packets that are marked just below that (Pmax)
public record Marking(int leastBytes, int mostBytes, double share) {
    /// Nothing is ever marked.
    public static final Marking NONE = new Marking(Integer.MAX_VALUE, Integer.MAX_VALUE, 0);

    /// What the paper has, for 40 Gb/s.
    public static final Marking PUBLISHED = new Marking(5_000, 200_000, 0.01);

    public Marking {
        if (leastBytes < 0 || mostBytes < leastBytes || share < 0 || share > 1) {
            throw new IllegalArgumentException(
                    "marks from %d to %d bytes, up to %s: use two lengths in order, and 0 to 1"
                            .formatted(leastBytes, mostBytes, share));
        }
    }

    /// What operators of large networks use, for links of a rate.
    public static Marking production(Rate rate) {
        double scale = rate.bitsPerSecond() / 25e9;
        return new Marking((int) (100_000 * scale), (int) (400_000 * scale), 0.2);
    }

    /// The part of packets that is marked at a length.
    double part(long bytes) {
        if (bytes <= leastBytes) {
            return 0;
        }
        return bytes > mostBytes
                ? 1
                : share * (bytes - leastBytes) / ((double) mostBytes - leastBytes);
    }
}
