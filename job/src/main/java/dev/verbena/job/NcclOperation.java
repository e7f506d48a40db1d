package dev.verbena.job;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.plan.Collective;
import java.util.Locale;

/// The operations of nccl-tests, named, sized and rated as there: a size is that of the whole
/// array, and the bus bandwidth is what each link has to carry.
public enum NcclOperation {
    ALL_REDUCE(Collective.ALL_REDUCE),
    ALL_GATHER(Collective.ALL_GATHER),
    REDUCE_SCATTER(Collective.REDUCE_SCATTER),
    BROADCAST(Collective.BROADCAST),
    REDUCE(Collective.REDUCE),
    ALLTOALL(Collective.ALL_TO_ALL),
    GATHER(Collective.GATHER),
    SCATTER(Collective.SCATTER);

    private final Collective collective;

    NcclOperation(Collective collective) {
        this.collective = collective;
    }

    public Collective collective() {
        return collective;
    }

    public boolean isReduction() {
        return this == ALL_REDUCE || this == REDUCE_SCATTER || this == REDUCE;
    }

    public boolean hasRoot() {
        return this == BROADCAST || this == REDUCE || this == GATHER || this == SCATTER;
    }

    /// Whether a size must be a multiple of the number of ranks.
    public boolean isSplit() {
        return this != ALL_REDUCE && this != BROADCAST && this != REDUCE;
    }

    /// Bytes that a rank hands in, of a whole array of `bytes`.
    public long inputBytes(long bytes, int ranks) {
        return this == ALL_GATHER || this == GATHER ? bytes / ranks : bytes;
    }

    public long outputBytes(long bytes, int ranks) {
        return this == REDUCE_SCATTER || this == SCATTER ? bytes / ranks : bytes;
    }

    /// Bus bandwidth for each unit of bytes by time.
    public double busFactor(int ranks) {
        return switch (this) {
            case ALL_REDUCE -> 2.0 * (ranks - 1) / ranks;
            case ALL_GATHER, REDUCE_SCATTER, ALLTOALL, GATHER, SCATTER -> (ranks - 1.0) / ranks;
            case BROADCAST, REDUCE -> 1;
        };
    }

    /// In place, the input of a rank is its part of the output, or the other way around.
    public Span inPlaceInput(Span whole, int rank, int ranks) {
        long part = whole.length() / ranks;
        return this == ALL_GATHER || this == GATHER ? whole.slice(rank * part, part) : whole;
    }

    public Span inPlaceOutput(Span whole, int rank, int ranks) {
        long part = whole.length() / ranks;
        return this == REDUCE_SCATTER || this == SCATTER ? whole.slice(rank * part, part) : whole;
    }

    public Work begin(
            Communicator ranks,
            Span from,
            Span to,
            ElementType type,
            Reduction reduction,
            int root) {
        return switch (this) {
            case ALL_REDUCE -> ranks.allReduce(from, to, type, reduction);
            case ALL_GATHER -> ranks.allGather(from, to);
            case REDUCE_SCATTER -> ranks.reduceScatter(from, to, type, reduction);
            case BROADCAST -> ranks.broadcast(from, to, root);
            case REDUCE -> ranks.reduce(from, to, type, reduction, root);
            case ALLTOALL -> ranks.allToAll(from, to);
            case GATHER -> ranks.gather(from, to, root);
            case SCATTER -> ranks.scatter(from, to, root);
        };
    }

    /// As on the command line.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
