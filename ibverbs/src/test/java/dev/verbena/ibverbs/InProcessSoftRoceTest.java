package dev.verbena.ibverbs;

import dev.verbena.testkit.conformance.FlushConformance;
import dev.verbena.testkit.conformance.InvalidateConformance;
import dev.verbena.testkit.conformance.SendQueueErrorConformance;
import dev.verbena.testkit.conformance.StateConformance;
import dev.verbena.testkit.conformance.WindowConformance;
import dev.verbena.testkit.conformance.World;

/// The parts of the suite where Soft-RoCE has habits of its own: work for a failed queue pair waits
/// until it fails again, and invalidated keys have the kernel's flag.
class InProcessSoftRoceTest
        implements FlushConformance,
                InvalidateConformance,
                SendQueueErrorConformance,
                StateConformance,
                WindowConformance {
    @Override
    public World world() {
        return new InProcessWorld(true);
    }
}
