package dev.verbena.fabric;

/// When a switch marks packets, as the congestion point of DCQCN does (RED): none up to one queue
/// length, all above another, and in between a share that grows with the length.
///
/// The queue counts as it is when a packet leaves it. Only packets that are ECN-capable are marked.
///
/// @param leastBytes queue length up to which no packet is marked (Kmin)
/// @param mostBytes queue length above which all packets are marked (Kmax)
/// @param share share of packets that are marked at Kmax (Pmax)
public record Marking(int leastBytes, int mostBytes, double share) {
    /// No packet is marked.
    public static final Marking NONE = new Marking(Integer.MAX_VALUE, Integer.MAX_VALUE, 0);

    /// The values of the paper, for 40 Gb/s.
    public static final Marking PUBLISHED = new Marking(5_000, 200_000, 0.01);

    public Marking {
        if (leastBytes < 0 || mostBytes < leastBytes || share < 0 || share > 1) {
            throw new IllegalArgumentException(
                    "marks from %d to %d bytes, up to %s: use Kmin <= Kmax, and Pmax from 0 to 1"
                            .formatted(leastBytes, mostBytes, share));
        }
    }

    /// Values in use in large networks, scaled to a link rate.
    public static Marking production(Rate rate) {
        double scale = rate.bitsPerSecond() / 25e9;
        return new Marking((int) (100_000 * scale), (int) (400_000 * scale), 0.2);
    }

    /// The share of packets that is marked at a queue length.
    double part(long bytes) {
        if (bytes <= leastBytes) {
            return 0;
        }
        return bytes > mostBytes
                ? 1
                : share * (bytes - leastBytes) / ((double) mostBytes - leastBytes);
    }
}
