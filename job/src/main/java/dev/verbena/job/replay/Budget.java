package dev.verbena.job.replay;

/// How much a job may have, over all its ranks. A file that asks for more is refused before the
/// memory is taken.
public final class Budget {
    public static final int RANKS_MAX = 1 << 16;
    public static final int NODES_MAX = 1 << 25;
    public static final int DEPENDENCIES_MAX = 1 << 26;

    /// The longest message or vector: 1 TiB.
    public static final long BYTES_MAX = 1L << 40;

    /// The longest calculation: about 11 days, so that times fit in picoseconds.
    public static final long CALC_MAX_NS = 1_000_000_000_000_000L;

    private long nodes;
    private long dependencies;

    /// The budget of one job.
    public Budget() {}

    /// Takes nodes; returns whether there were as many left.
    public boolean nodes(long count) {
        nodes += count;
        return nodes <= NODES_MAX;
    }

    /// Takes dependencies; returns whether there were as many left.
    public boolean dependencies(long count) {
        dependencies += count;
        return dependencies <= DEPENDENCIES_MAX;
    }
}
