package dev.verbena.collectives.plan;

/// Makes a [Plan] of a [Shape] and an [Algorithm].
public final class Plans {
    private Plans() {}

    /// The plan of one rank.
    ///
    /// @throws IllegalArgumentException if the algorithm does not carry out the operation for this
    ///   shape, with the reason
    public static Plan of(Shape shape, Algorithm algorithm) {
        return of(shape, algorithm, false);
    }

    /// The same with a choice for [Algorithm#HIERARCHICAL]: an all-reduce between hosts by halving
    /// and doubling, in fewer steps than by the ring.
    public static Plan of(Shape shape, Algorithm algorithm, boolean halvingBetweenHosts) {
        String reason = reasonAgainst(shape, algorithm);
        if (!reason.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s by %s: %s".formatted(shape.operation(), algorithm, reason));
        }
        if (shape.size() == 1) {
            return alone(shape);
        }
        boolean barrier = shape.operation() == Collective.BARRIER;
        return switch (algorithm) {
            case RING -> rooted(shape.operation()) ? Pipeline.chain(shape) : Ring.of(shape);
            case HALVING_DOUBLING -> halving(shape);
            case DOUBLING ->
                    barrier
                            ? RecursiveDoubling.barrier(shape)
                            : shape.operation() == Collective.ALL_GATHER
                                    ? halving(shape)
                                    : RecursiveDoubling.allReduce(shape);
            case DOUBLE_TREE -> DoubleTree.of(shape);
            case TREE -> Binomial.of(shape);
            case PAIRWISE -> Pairwise.of(shape);
            case HIERARCHICAL -> Hierarchical.of(shape, halvingBetweenHosts);
            case IN_NETWORK -> throw new AssertionError("switches have no plan");
        };
    }

    private static Plan halving(Shape shape) {
        return RecursiveHalving.fits(shape.size())
                ? RecursiveHalving.of(shape)
                : HalvingDoubling.of(shape);
    }

    /// Whether there are plans of an algorithm for an operation.
    public static boolean supports(Collective operation, Algorithm algorithm) {
        return switch (algorithm) {
            case RING ->
                    switch (operation) {
                        case ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, BROADCAST, REDUCE -> true;
                        case GATHER, SCATTER, ALL_TO_ALL, BARRIER -> false;
                    };
            case HALVING_DOUBLING, HIERARCHICAL ->
                    switch (operation) {
                        case ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER -> true;
                        case BROADCAST, REDUCE, GATHER, SCATTER, ALL_TO_ALL, BARRIER -> false;
                    };
            case DOUBLING ->
                    switch (operation) {
                        case ALL_REDUCE, ALL_GATHER, BARRIER -> true;
                        case REDUCE_SCATTER, BROADCAST, REDUCE, GATHER, SCATTER, ALL_TO_ALL ->
                                false;
                    };
            case DOUBLE_TREE ->
                    switch (operation) {
                        case ALL_REDUCE, BROADCAST, REDUCE -> true;
                        case REDUCE_SCATTER, ALL_GATHER, GATHER, SCATTER, ALL_TO_ALL, BARRIER ->
                                false;
                    };
            case TREE ->
                    switch (operation) {
                        case BROADCAST, REDUCE, GATHER, SCATTER, BARRIER -> true;
                        case ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL -> false;
                    };
            case PAIRWISE ->
                    switch (operation) {
                        case ALL_TO_ALL, REDUCE_SCATTER, ALL_GATHER, GATHER, SCATTER -> true;
                        case ALL_REDUCE, BROADCAST, REDUCE, BARRIER -> false;
                    };
            case IN_NETWORK -> false;
        };
    }

    /// Whether there is a plan of an algorithm for this shape.
    public static boolean supports(Shape shape, Algorithm algorithm) {
        return reasonAgainst(shape, algorithm).isEmpty();
    }

    private static String reasonAgainst(Shape shape, Algorithm algorithm) {
        if (!supports(shape.operation(), algorithm)) {
            return "not carried out; choose another algorithm";
        }
        if (algorithm != Algorithm.HIERARCHICAL) {
            return "";
        }
        int group = shape.groupSize();
        if (group < 2 || group >= shape.size() || shape.size() % group != 0) {
            return "%d ranks with %d on each host: needs two hosts or more, with as many ranks each"
                    .formatted(shape.size(), group);
        }
        return shape.counts() == null ? "" : "needs equal counts";
    }

    private static boolean rooted(Collective operation) {
        return operation == Collective.BROADCAST || operation == Collective.REDUCE;
    }

    /// One rank has its own input as the result.
    private static Plan alone(Shape shape) {
        Rounds plan = new Rounds(shape);
        Counts counts = shape.counts();
        Counts received = shape.receiveCounts() != null ? shape.receiveCounts() : counts;
        long elements = counts != null ? counts.count(0) : shape.count();
        if (shape.operation() != Collective.BARRIER) {
            plan.copies(
                    Place.INPUT,
                    counts != null ? counts.offset(0) : 0,
                    Place.OUTPUT,
                    received != null ? received.offset(0) : 0,
                    elements);
        }
        return plan;
    }
}
