package dev.verbena.subnet;

/// What a round has done so far, and what all rounds before it have done.
final class Tally {
    /// Sums over rounds.
    record Sums(long fullRounds, long requests, long retries, long failures, long blocks) {
        static final Sums NONE = new Sums(0, 0, 0, 0, 0);
    }

    private final boolean isFull;
    private final long startNs;
    private final Sums before;
    private boolean hasEnded;
    long requests;
    long retries;
    long failures;
    long blocks;

    Tally(boolean isFull, long startNs) {
        this(isFull, startNs, Sums.NONE);
    }

    private Tally(boolean isFull, long startNs, Sums before) {
        this.isFull = isFull;
        this.startNs = startNs;
        this.before = before;
    }

    /// The tally of the round that follows this one.
    Tally next(boolean isFullRound, long nowNs) {
        return new Tally(isFullRound, nowNs, sums());
    }

    /// Of this round and all before it.
    Sums sums() {
        return new Sums(
                before.fullRounds + (isFull && hasEnded ? 1 : 0),
                before.requests + requests,
                before.retries + retries,
                before.failures + failures,
                before.blocks + blocks);
    }

    SweepReport report(SubnetGraph graph, RoutingReport routing, long nowNs) {
        hasEnded = true;
        int hosts = 0;
        int switches = 0;
        int ends = 0;
        int withoutLid = 0;
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            if (!graph.isPresent(vertex)) {
                continue;
            }
            hosts += graph.isSwitch(vertex) ? 0 : 1;
            switches += graph.isSwitch(vertex) ? 1 : 0;
            withoutLid += graph.lid(vertex) == 0 ? 1 : 0;
            for (int slot = graph.ownSlot(vertex); slot < graph.endSlot(vertex); slot++) {
                ends += graph.peer(slot) == SubnetGraph.NONE ? 0 : 1;
            }
        }
        return new SweepReport(
                isFull,
                hosts,
                switches,
                ends / 2,
                requests,
                retries,
                failures,
                withoutLid,
                blocks,
                startNs,
                nowNs,
                routing);
    }
}
