package dev.verbena.ibverbs.driver;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A request of a program between posting it and the fetching of its completion, with what it
/// needs.
final class Posted {
    final long id;
    final long token;
    private final WorkRing ring;
    private final List<DriverRegion> regions = new ArrayList<>(1);
    private @Nullable DriverHandle handle;

    Posted(WorkRing ring, long id) {
        this.ring = ring;
        this.id = id;
        this.token = ++ring.driver.tokens;
    }

    void uses(DriverRegion region) {
        regions.add(region);
        region.inFlight++;
    }

    void uses(DriverHandle way) {
        handle = way;
        way.inFlight++;
    }

    /// Its completion was fetched.
    void finish() {
        ring.done(this);
    }

    void release() {
        regions.forEach(region -> region.inFlight--);
        regions.clear();
        if (handle != null) {
            handle.inFlight--;
            handle = null;
        }
    }
}
