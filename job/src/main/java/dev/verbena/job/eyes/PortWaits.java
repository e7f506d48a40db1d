package dev.verbena.job.eyes;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.PortCounts;

/// What waited at each port since this was made: how much of the time it was held back, paused on
/// Ethernet, without credits on InfiniBand, and the longest queue before it.
final class PortWaits {
    /// What a tick of PortXmitWait is the time of, in the fabric.
    private static final int TICK_BYTES = 4;

    private final Fabric fabric;
    private final long sincePs;
    private final double[] before;
    private double[] now = {};
    private final long[] peaks;

    PortWaits(Fabric fabric) {
        this.fabric = fabric;
        sincePs = fabric.nowPs();
        before = waitsPs();
        peaks = new long[fabric.takeQueuePeaks().length];
    }

    private double[] waitsPs() {
        double tickPs = TICK_BYTES * 8e12 / fabric.settings().cable().rate().bitsPerSecond();
        return fabric.ports().stream().mapToDouble(it -> waitPs(it, tickPs)).toArray();
    }

    private static double waitPs(PortCounts port, double tickPs) {
        return port.pausedPs() + tickPs * port.counts().getOrDefault("PortXmitWait", 0L);
    }

    /// Reads the counters again.
    void read() {
        now = waitsPs();
        long[] since = fabric.takeQueuePeaks();
        for (int port = 0; port < since.length; port++) {
            peaks[port] = Math.max(peaks[port], since[port]);
        }
    }

    /// The most bytes that waited at a time.
    long peakBytes(int port) {
        return peaks[port];
    }

    double share(int port) {
        double wait = now[port] - before[port];
        return Math.clamp(wait / Math.max(1, fabric.nowPs() - sincePs), 0, 1);
    }
}
