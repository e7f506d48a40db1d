package dev.verbena.fabric;

/// At which queue lengths a switch pauses its neighbours, to be held against those at which it
/// marks: marks must come first, or senders learn of congestion only after it has spread.
public final class Thresholds {
    private Thresholds() {}

    /// The length of an output's queue at which its inputs are paused, when so many of them fill it
    /// alike and the rest of the buffer is free.
    public static double pausesFrom(BufferSettings buffer, int inputs) {
        if (buffer.xoffBytes() > 0) {
            return (double) buffer.xoffBytes() * inputs;
        }
        double alpha = buffer.alpha() * inputs;
        return alpha * buffer.totalBytes() / (1 + alpha);
    }

    /// The fixed threshold of a priority of a port at which no packet is dropped whatever the
    /// others hold (SIGCOMM 2015, section 4).
    static double fixedPause(double totalBytes, int ports, int priorities, double headroom) {
        int queues = ports * priorities;
        return (totalBytes - queues * headroom) / queues;
    }

    /// The highest threshold of marking below which no pause is sent, in the worst case: one input
    /// fills all outputs in all priorities (SIGCOMM 2015, section 4).
    static double marksBefore(
            double totalBytes, int ports, int priorities, double headroom, double alpha) {
        double shared = totalBytes - (double) ports * priorities * headroom;
        return alpha * shared / (ports * (1 + priorities * alpha));
    }
}
