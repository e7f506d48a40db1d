package dev.verbena.job;

import dev.verbena.fabric.FabricSettings;
import java.util.Objects;

/// The time of a hierarchical all-reduce that follows from arithmetic alone: hosts of g ranks on
/// rails, with one switch between the NICs of a rail, and parts of whole packets.
///
/// ```text
///   grant | g - 1 parts within | 2(h - 1) steps of a ring between hosts | g - 1 parts | ack
/// ```
record HierarchicalForm(FabricSettings settings, JobLayout layout) {
    private static final int EXTRA = 20;

    private ClosedForm between() {
        return new ClosedForm(settings, layout.hosts());
    }

    private InnerLink inner() {
        return Objects.requireNonNull(layout.inner());
    }

    /// A part of the vector to each other rank of the host, and the latency of the last. The rate
    /// is that of payload; a message has one header more than its packets.
    private double withinNs(long part) {
        double wire = settings.framing().wireBytes(16 + settings.mtu(), settings.mtu(), false);
        double extra = EXTRA * settings.mtu() / wire;
        double message = (part + extra) * 1e9 / inner().bytesPerSecond();
        return (layout.ranksPerHost() - 1) * message + inner().latencyNs();
    }

    /// All ranks that share a NIC send at once.
    private double betweenNs(long part) {
        ClosedForm form = between();
        double sharing = (double) layout.ranksPerHost() / layout.nicsPerHost();
        double step = sharing * form.messageNs(part) + form.hopNs(part) + copyNs(part);
        double steps = 2 * (layout.hosts() - 1) * step;
        // Between two hosts the result comes back to where the input was: it is granted when the
        // input is acknowledged.
        return steps + (layout.hosts() == 2 ? form.ackNs() + form.grantNs() : 0) + waitNs(part);
    }

    /// A copy before a message leaves, and one after it has arrived.
    private double copyNs(long part) {
        HostCopy copy = layout.copy();
        return copy == null ? 0 : 2 * (copy.latencyNs() + copy.busyNs(part));
    }

    /// Ranks that share a path wait for each other once; afterwards they are apart in time.
    private double waitNs(long part) {
        HostCopy copy = layout.copy();
        return copy == null ? 0 : (copy.ranks() - 1) * copy.busyNs(part);
    }

    double ns(long bytes) {
        long part = bytes / layout.ranksPerHost();
        double grantAndAck = 2 * inner().latencyNs();
        return grantAndAck + 2 * withinNs(part) + betweenNs(part / layout.hosts());
    }
}
