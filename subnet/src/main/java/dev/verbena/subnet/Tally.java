package dev.verbena.subnet;

/// What a round has done so far.
final class Tally {
    private final boolean isFull;
    private final long startNs;
    long requests;
    long retries;
    long failures;
    long blocks;

    Tally(boolean isFull, long startNs) {
        this.isFull = isFull;
        this.startNs = startNs;
    }

    SweepReport report(SubnetGraph graph, RoutingReport routing, long nowNs) {
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
