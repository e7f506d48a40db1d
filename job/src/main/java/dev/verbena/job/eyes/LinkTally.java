package dev.verbena.job.eyes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What the messages over one link saw.
final class LinkTally {
    /// Of a link without messages.
    static final LinkTally NONE = new LinkTally();

    private final List<Double> uses = new ArrayList<>();
    private final Set<Long> flows = new HashSet<>();
    private double totalNs;
    private double starvedNs;

    /// @param isStarved whether no link of the message was full
    /// @param use share of this link's rate that was in use meanwhile
    void add(Transit transit, boolean isStarved, double use) {
        flows.add((long) transit.message().from() << 32 | transit.message().to());
        uses.add(use);
        totalNs += transit.tookNs();
        starvedNs += isStarved ? transit.tookNs() : 0;
    }

    int messages() {
        return uses.size();
    }

    /// Pairs of ranks.
    int flows() {
        return flows.size();
    }

    double starvedNs() {
        return starvedNs;
    }

    double starvedShare() {
        return starvedNs / Math.max(1, totalNs);
    }

    /// The share of the rate that half of the messages did not see exceeded.
    double use() {
        if (uses.isEmpty()) {
            return 1;
        }
        List<Double> sorted = new ArrayList<>(uses);
        Collections.sort(sorted);
        return sorted.get((sorted.size() - 1) / 2);
    }
}
