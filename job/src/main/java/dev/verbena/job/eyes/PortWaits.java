package dev.verbena.job.eyes;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.PortCounts;

/// How much of the time since this was made each port was held back: paused on Ethernet, without
/// credits on InfiniBand.
final class PortWaits {
    /// What a tick of PortXmitWait is the time of, in the fabric.
    private static final int TICK_BYTES = 4;

    private final Fabric fabric;
    private final long sincePs;
    private final double[] before;
    private double[] now = {};

    PortWaits(Fabric fabric) {
        this.fabric = fabric;
        sincePs = fabric.nowPs();
        before = waitsPs();
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
    }

    double share(int port) {
        double wait = now[port] - before[port];
        return Math.clamp(wait / Math.max(1, fabric.nowPs() - sincePs), 0, 1);
    }
}
