package dev.verbena.job.flow;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Collective;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.PhantomMemory;
import dev.verbena.fabric.Topology;
import dev.verbena.job.JobLayout;
import dev.verbena.job.RankRun;
import java.util.ArrayList;
import java.util.List;

/// The same operation packet by packet and as flows, on the same paths.
///
/// @param bytes of the whole vector, as nccl-tests counts them
record BothLevels(
        Topology between,
        FabricSettings settings,
        JobLayout layout,
        Collective operation,
        Algorithm algorithm,
        long bytes,
        int pieceBytes) {
    private static final int ELEMENT = 4;

    /// Nanoseconds at both levels.
    record Times(long packetNs, long flowNs) {
        /// How much longer flows take, as a part of the packets' time.
        double error() {
            return (double) flowNs / packetNs - 1;
        }
    }

    private CommunicatorSettings change(CommunicatorSettings it) {
        return it.withMemory(PhantomMemory::in)
                .withPieceBytes(pieceBytes)
                .withChoice(it.choice().prefer(algorithm));
    }

    private Topology topology() {
        return layout.topology(between, settings);
    }

    Times times() {
        Fabric fabric = new Fabric(topology(), settings);
        try (RankRun run = new RankRun(fabric, layout, _ -> {}, this::change)) {
            // The first makes the connections, and the second may still wait for their last steps.
            measure(run);
            measure(run);
            long packetNs = measure(run);
            return new Times(
                    packetNs,
                    flowNs((rank, peer, lane) -> run.ranks().get(rank).pairNumber(peer, lane)));
        }
    }

    long flowNs(QueuePairs pairs) {
        CommunicatorSettings own = change(CommunicatorSettings.of(() -> 0));
        return new FlowRun(topology(), settings, layout, own, pairs).measure(call());
    }

    private boolean isSplit() {
        return operation != Collective.ALL_REDUCE
                && operation != Collective.BROADCAST
                && operation != Collective.REDUCE;
    }

    private boolean isReduction() {
        return operation == Collective.ALL_REDUCE
                || operation == Collective.REDUCE
                || operation == Collective.REDUCE_SCATTER;
    }

    private FlowCall call() {
        int element = isReduction() ? ELEMENT : 1;
        long part = isSplit() ? bytes / layout.ranks() : bytes;
        return new FlowCall(operation, part / element, element, 0, pieceBytes);
    }

    private long measure(RankRun run) {
        List<RankMemory> memories = new ArrayList<>();
        long ns = run.measure(rank -> begin(rank, memories));
        memories.forEach(RankMemory::close);
        return ns;
    }

    private Work begin(Communicator rank, List<RankMemory> memories) {
        RankMemory memory = rank.allocate(bytes);
        memories.add(memory);
        Span all = memory.span();
        Span part = memory.span(0, isSplit() ? bytes / rank.size() : bytes);
        ElementType type = ElementType.FLOAT32;
        return switch (operation) {
            case ALL_REDUCE -> rank.allReduce(all, all, type, Reduction.SUM);
            case ALL_TO_ALL -> rank.allToAll(all, all);
            case ALL_GATHER -> rank.allGather(part, all);
            case REDUCE_SCATTER -> rank.reduceScatter(all, part, type, Reduction.SUM);
            case BROADCAST -> rank.broadcast(all, 0);
            case REDUCE -> rank.reduce(all, all, type, Reduction.SUM, 0);
            case GATHER -> rank.gather(part, all, 0);
            case SCATTER -> rank.scatter(all, part, 0);
            case BARRIER -> rank.barrier();
        };
    }
}
