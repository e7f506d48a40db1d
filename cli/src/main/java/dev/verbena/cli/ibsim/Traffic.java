package dev.verbena.cli.ibsim;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FlowRun;
import dev.verbena.fabric.Patterns;
import dev.verbena.fabric.manage.Subnet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Data for the routes that a manager has written: once all hosts have a LID and an active port,
/// each writes to the one half of all hosts further on.
final class Traffic {
    private static final int ACTIVE = 4;
    private static final double PS_PER_MS = 1e9;

    /// By then every queue pair that gets no answer has given up.
    private static final long LIMIT_PS = 10_000_000_000_000L;

    private final Fabric fabric;
    private final Subnet subnet;
    private final long bytes;
    private @Nullable FlowRun run;
    private boolean isReported;
    private long beginPs;

    /// @param bytes of each message
    Traffic(Fabric fabric, Subnet subnet, long bytes) {
        this.fabric = fabric;
        this.subnet = subnet;
        this.bytes = bytes;
    }

    /// Begins when that is possible; returns what has happened since the last time.
    Optional<String> look() {
        if (run == null) {
            return isUp() ? begin() : Optional.empty();
        }
        long delivered = isReported ? 0 : run.deliveredBytes();
        long passedPs = fabric.nowPs() - beginPs;
        if (isReported || (delivered < all() && passedPs < LIMIT_PS)) {
            return Optional.empty();
        }
        isReported = true;
        return Optional.of(
                "traffic over: %,d bytes of %,d delivered, within %,.3f simulated ms"
                        .formatted(delivered, all(), passedPs / PS_PER_MS));
    }

    private long all() {
        return bytes * fabric.topology().hosts();
    }

    private Optional<String> begin() {
        int hosts = fabric.topology().hosts();
        beginPs = fabric.nowPs();
        run = new FlowRun(fabric, Patterns.shift(hosts, hosts / 2, bytes), _ -> {});
        return Optional.of("traffic begins: %,d flows of %,d bytes".formatted(hosts, bytes));
    }

    private boolean isUp() {
        for (int host = 0; host < fabric.topology().hosts(); host++) {
            if (subnet.lid(host) == 0 || subnet.portState(host, 1) != ACTIVE) {
                return false;
            }
        }
        return true;
    }
}
