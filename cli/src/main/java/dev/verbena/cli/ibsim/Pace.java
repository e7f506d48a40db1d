package dev.verbena.cli.ibsim;

import dev.verbena.fabric.Fabric;

/// Lets simulated time pass as fast as a ratio says, or as fast as the machine can if that is less:
/// time that was not made up for is given up, so that programs are always served.
final class Pace {
    private static final double PS_PER_NS = 1000;
    private static final long SLICE_NS = 5_000_000;
    private static final int STEPS = 256;

    private final Fabric fabric;
    private final double ratio;
    private final long startNs;
    private final long startPs;
    private long baseNs;
    private long basePs;

    /// @param ratio simulated seconds in a second
    Pace(Fabric fabric, double ratio, long nowNs) {
        this.fabric = fabric;
        this.ratio = ratio;
        startNs = nowNs;
        startPs = fabric.nowPs();
        baseNs = nowNs;
        basePs = startPs;
    }

    /// Runs the fabric up to where it should be, or for a few milliseconds.
    void run() {
        long beginNs = System.nanoTime();
        long targetPs = basePs + (long) ((beginNs - baseNs) * PS_PER_NS * ratio);
        boolean isMore = targetPs > fabric.nowPs();
        while (isMore) {
            for (int i = 0; i < STEPS && isMore; i++) {
                isMore = fabric.step(targetPs);
            }
            if (isMore && System.nanoTime() - beginNs > SLICE_NS) {
                baseNs = beginNs;
                basePs = fabric.nowPs();
                return;
            }
        }
        if (targetPs > fabric.nowPs()) {
            fabric.run(targetPs);
        }
    }

    /// Simulated seconds for each second so far.
    double reached() {
        double passedNs = Math.max(1, System.nanoTime() - startNs);
        return (fabric.nowPs() - startPs) / PS_PER_NS / passedNs;
    }
}
