package dev.verbena.ibverbs;

import dev.verbena.conformance.FlushConformance;
import dev.verbena.conformance.InvalidateConformance;
import dev.verbena.conformance.SendQueueErrorConformance;
import dev.verbena.conformance.StateConformance;
import dev.verbena.conformance.WindowConformance;
import dev.verbena.conformance.World;

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
