package dev.verbena.job;

import dev.verbena.collectives.run.LocalWork;
import java.util.ArrayList;
import java.util.List;

/// The paths to host memory of all ranks.
public final class HostCopies {
    private record Paths(HostCopy.Path out, HostCopy.Path in) {}

    private final JobLayout layout;
    private final List<Paths> byRank = new ArrayList<>();

    public HostCopies(JobLayout layout) {
        this.layout = layout;
        HostCopy copy = layout.copy();
        for (int rank = 0; copy != null && rank < layout.ranks(); rank++) {
            boolean isFirst = rank % layout.ranksPerHost() % copy.ranks() == 0;
            byRank.add(isFirst ? new Paths(copy.path(), copy.path()) : byRank.getLast());
        }
    }

    /// The work of a rank with its copies, where it has some.
    public LocalWork of(int rank, LocalWork own) {
        if (layout.copy() == null) {
            return own;
        }
        Paths paths = byRank.get(rank);
        return new HostCopy.Work(own, paths.out, paths.in);
    }
}
