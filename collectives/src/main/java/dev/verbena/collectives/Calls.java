package dev.verbena.collectives;

import dev.verbena.collectives.element.Combiner;
import dev.verbena.collectives.element.ElementArithmetic;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Collective;
import dev.verbena.collectives.plan.Counts;
import dev.verbena.collectives.plan.NetworkCosts;
import dev.verbena.collectives.plan.Plan;
import dev.verbena.collectives.plan.Plans;
import dev.verbena.collectives.plan.Shape;
import dev.verbena.verbs.InvalidRequestException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Checks the arguments of operations and finds their plans. The plans of the last operations are
/// kept, because programs repeat them.
final class Calls {
    private static final int KEPT = 64;

    /// What a plan depends on.
    ///
    /// @param arithmetic null where nothing is combined
    private record Question(Shape shape, @Nullable ElementArithmetic arithmetic) {}

    /// @param plan null in the network
    private record Planned(@Nullable Plan plan, Algorithm algorithm) {}

    private final Communicator owner;
    private final CommunicatorSettings settings;
    private final NetworkGroup network;
    private final Map<Question, Planned> kept = new LinkedHashMap<>();
    private @Nullable Span nothing;

    Calls(Communicator owner, CommunicatorSettings settings, NetworkGroup network) {
        this.network = network;
        this.owner = owner;
        this.settings = settings;
    }

    /// An operation on vectors of equal length.
    Work onVector(
            Collective operation,
            Span from,
            Span to,
            ElementType type,
            @Nullable Reduction reduction,
            int root) {
        if (from.length() != to.length()) {
            throw refused(
                    operation,
                    "%,d bytes in and %,d out".formatted(from.length(), to.length()),
                    "use spans of the same length");
        }
        return begin(
                shape(operation, count(operation, from, type.bytes()), type.bytes(), root),
                from,
                to,
                type.bytes(),
                reduction == null ? null : new ElementArithmetic(type, reduction));
    }

    /// An operation on a part for each rank: `whole` is as long as those of all ranks.
    Work onParts(
            Collective operation,
            Span from,
            Span to,
            Span whole,
            Span part,
            int elementBytes,
            @Nullable ElementArithmetic arithmetic,
            int root) {
        long count = count(operation, part, elementBytes);
        long bytes = part.length() * owner.size();
        if (whole.length() != bytes) {
            throw refused(
                    operation,
                    "%,d bytes for %d ranks, and %,d for one"
                            .formatted(whole.length(), owner.size(), part.length()),
                    "use a span of %,d bytes for all".formatted(bytes));
        }
        Shape shape = shape(operation, count, elementBytes, root);
        return begin(shape, from, to, elementBytes, arithmetic);
    }

    /// An operation on bytes that all ranks have.
    Work bytes(Collective operation, Span from, Span to, int root) {
        if (owner.rank() == root && from.length() != to.length()) {
            throw refused(
                    operation,
                    "%,d bytes in and %,d out".formatted(from.length(), to.length()),
                    "use spans of the same length");
        }
        return begin(shape(operation, to.length(), 1, root), from, to, 1, null);
    }

    /// An operation of which this rank knows its own part alone.
    Work part(Collective operation, Span from, Span to, Span part, int root) {
        return begin(shape(operation, part.length(), 1, root), from, to, 1, null);
    }

    /// An all-to-all with as many bytes for each rank.
    Work allToAll(Span from, Span to) {
        Collective operation = Collective.ALL_TO_ALL;
        if (from.length() != to.length() || from.length() % owner.size() != 0) {
            throw refused(
                    operation,
                    "%,d bytes in and %,d out for %d ranks"
                            .formatted(from.length(), to.length(), owner.size()),
                    "use spans of the same length, with a part for each rank");
        }
        return begin(shape(operation, from.length() / owner.size(), 1, 0), from, to, 1, null);
    }

    /// An all-to-all with counts of bytes for each rank.
    Work unequal(Span from, Counts sent, Span to, Counts received) {
        Collective operation = Collective.ALL_TO_ALL;
        requireOneForEach(operation, sent);
        requireOneForEach(operation, received);
        requireInside(operation, from, sent);
        requireInside(operation, to, received);
        Shape shape = shape(operation, 0, 1, 0).withCounts(sent, received);
        return begin(shape, from, to, 1, null);
    }

    /// An operation on parts of different lengths, in bytes by rank.
    Work unequal(Collective operation, Span from, Span to, Counts counts, int root) {
        requireOneForEach(operation, counts);
        long own = counts.count(owner.rank());
        boolean isGather = operation == Collective.ALL_GATHER || operation == Collective.GATHER;
        Span part = isGather ? from : to;
        if (part.length() != own) {
            throw refused(
                    operation,
                    "%,d bytes, but rank %d has %,d in the counts"
                            .formatted(part.length(), owner.rank(), own),
                    "use a span as long as the count of this rank");
        }
        Shape shape = shape(operation, 0, 1, root).withCounts(counts);
        return begin(shape, from, to, 1, null);
    }

    Work barrier() {
        Span none = nothing;
        if (none == null) {
            none = owner.allocate(1).span();
            nothing = none;
        }
        return begin(shape(Collective.BARRIER, 0, 1, 0), none, none, 1, null);
    }

    /// Messages to one rank and from one.
    ///
    /// @param to rank to send to, or -1
    /// @param from rank to receive from, or -1
    Work message(Span out, int to, Span in, int from) {
        Plan plan = new Message(out.length(), to, in.length(), from, pieceElements(1));
        long longest = Math.min(pieceElements(1), Math.max(out.length(), in.length()));
        return owner.begin(plan, out, in, 1, null, longest);
    }

    /// Gives its memory back.
    void close() {
        if (nothing != null) {
            nothing.memory().close();
        }
    }

    private Shape shape(Collective operation, long count, int elementBytes, int root) {
        if (root < 0 || root >= owner.size()) {
            throw refused(operation, "there is no rank " + root, "use 0 to " + (owner.size() - 1));
        }
        return new Shape(
                operation,
                owner.rank(),
                owner.size(),
                root,
                count,
                pieceElements(elementBytes),
                owner.ranksOnHost(),
                settings.lanes(),
                settings.window(),
                null,
                null);
    }

    private long pieceElements(int elementBytes) {
        return Math.max(1, settings.pieceBytes() / elementBytes);
    }

    private Work begin(
            Shape shape,
            Span from,
            Span to,
            int elementBytes,
            @Nullable ElementArithmetic arithmetic) {
        Question question = new Question(shape, arithmetic);
        Planned known = kept.get(question);
        if (known == null) {
            known = plan(question, elementBytes);
            kept.put(question, known);
            if (kept.size() > KEPT) {
                kept.remove(kept.keySet().iterator().next());
            }
        }
        boolean hasResult = shape.operation() != Collective.REDUCE || shape.root() == shape.rank();
        long longest = Math.min(shape.pieceElements(), Math.max(1, shape.total()));
        Plan plan = known.plan;
        Work work =
                plan == null
                        ? Work.inNetwork(owner, from, to, arithmetic, hasResult)
                        : new Work(
                                owner,
                                known.algorithm,
                                plan,
                                from,
                                to,
                                elementBytes,
                                combiner(arithmetic),
                                longest);
        return owner.begin(work);
    }

    private static @Nullable Combiner combiner(@Nullable ElementArithmetic arithmetic) {
        return arithmetic == null
                ? null
                : Combiner.of(arithmetic.element(), arithmetic.reduction());
    }

    private Planned plan(Question question, int elementBytes) {
        Shape shape = question.shape;
        NetworkCosts.Source source = network.source(shape.operation(), question.arithmetic);
        Algorithm algorithm = settings.choice().of(shape, elementBytes, source);
        boolean isPlanned = algorithm != Algorithm.IN_NETWORK;
        return new Planned(isPlanned ? Plans.of(shape, algorithm) : null, algorithm);
    }

    private long count(Collective operation, Span span, int elementBytes) {
        if (span.length() % elementBytes != 0) {
            throw refused(
                    operation,
                    "%,d bytes are no whole number of elements".formatted(span.length()),
                    "use a multiple of %d bytes".formatted(elementBytes));
        }
        return span.length() / elementBytes;
    }

    private void requireOneForEach(Collective operation, Counts counts) {
        if (counts.size() != owner.size()) {
            throw refused(
                    operation,
                    "%d counts for %d ranks".formatted(counts.size(), owner.size()),
                    "use a count for each rank");
        }
    }

    private void requireInside(Collective operation, Span span, Counts counts) {
        for (int rank = 0; rank < counts.size(); rank++) {
            if (counts.count(rank) > span.length() - counts.offset(rank)) {
                throw refused(
                        operation,
                        "%,d bytes of rank %d from %,d on leave a span of %,d"
                                .formatted(
                                        counts.count(rank),
                                        rank,
                                        counts.offset(rank),
                                        span.length()),
                        "use a longer span");
            }
        }
    }

    private InvalidRequestException refused(Collective operation, String problem, String remedy) {
        return new InvalidRequestException(owner + ", " + operation, problem, remedy);
    }
}
