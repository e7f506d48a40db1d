package dev.verbena.collectives;

import dev.verbena.collectives.element.Combiner;
import dev.verbena.collectives.element.ElementArithmetic;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Plan;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An operation of a communicator that was begun. Its memory belongs to the communicator until it
/// is over.
public final class Work {
    private static final long NOT_YET = Long.MIN_VALUE;

    /// A barrier combines nothing, and the network wants to know how.
    private static final ElementArithmetic NOTHING =
            new ElementArithmetic(ElementType.INT32, Reduction.SUM);

    /// Null in the network.
    final @Nullable Plan plan;

    final Span from;
    final Span to;
    final int elementBytes;
    final @Nullable Combiner combiner;
    final long longest;

    /// What the network does, and whether there is anything to be combined, and a result for this
    /// rank.
    final ElementArithmetic arithmetic;

    final boolean hasBytes;
    final boolean hasResult;

    private final Communicator owner;
    private final @Nullable Algorithm algorithm;
    private long begunNs = NOT_YET;
    private long endedNs = NOT_YET;

    /// An operation by a plan.
    ///
    /// @param algorithm null where the plan is not of one
    Work(
            Communicator owner,
            @Nullable Algorithm algorithm,
            Plan plan,
            Span from,
            Span to,
            int elementBytes,
            @Nullable Combiner combiner,
            long longest) {
        this.owner = owner;
        this.algorithm = algorithm;
        this.plan = plan;
        this.from = from;
        this.to = to;
        this.elementBytes = elementBytes;
        this.combiner = combiner;
        this.longest = longest;
        arithmetic = NOTHING;
        hasBytes = false;
        hasResult = false;
    }

    private Work(
            Communicator owner,
            Span from,
            Span to,
            @Nullable ElementArithmetic arithmetic,
            boolean hasResult) {
        this.owner = owner;
        this.from = from;
        this.to = to;
        this.arithmetic = arithmetic == null ? NOTHING : arithmetic;
        this.hasResult = hasResult;
        hasBytes = arithmetic != null && from.length() > 0;
        elementBytes = this.arithmetic.elementBytes();
        algorithm = Algorithm.IN_NETWORK;
        plan = null;
        combiner = null;
        longest = 0;
    }

    /// An operation by the switches of the network.
    ///
    /// @param arithmetic null for a barrier
    static Work inNetwork(
            Communicator owner,
            Span from,
            Span to,
            @Nullable ElementArithmetic arithmetic,
            boolean hasResult) {
        return new Work(owner, from, to, arithmetic, hasResult);
    }

    /// How it is carried out; empty for messages from rank to rank, and for a plan of the caller's.
    public Optional<Algorithm> algorithm() {
        return Optional.ofNullable(algorithm);
    }

    /// Whether it is over, with success.
    public boolean isDone() {
        return endedNs != NOT_YET;
    }

    /// Whether it is over, or never will be, because the communicator has failed.
    public boolean isOver() {
        return isDone() || owner.failure() != null;
    }

    /// Whether it has messages that wait for a grant, and for acknowledgements.
    boolean isLong(int shortBytes) {
        return longest * elementBytes > shortBytes;
    }

    /// Waits until it is over, and drives the communicator meanwhile.
    public void await() throws RankFailedException {
        owner.await(this, Long.MAX_VALUE);
    }

    /// Waits until it is over; returns false when the timeout passes first.
    public boolean await(Duration timeout) throws RankFailedException {
        return owner.await(this, timeout.toNanos());
    }

    /// How long it took, from the time at which the operation before it was over.
    public long tookNs() {
        return endedNs - begunNs;
    }

    /// When it was over, on the clock of the communicator.
    public long endedNs() {
        return endedNs;
    }

    void begun(long nowNs) {
        begunNs = nowNs;
    }

    void ended(long nowNs) {
        endedNs = nowNs;
    }
}
