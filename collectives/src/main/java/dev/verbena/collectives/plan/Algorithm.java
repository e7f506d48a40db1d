package dev.verbena.collectives.plan;

/// Ways to carry out a collective operation.
public enum Algorithm {
    /// Each rank sends to the next one and receives from the one before: the least bytes, the most
    /// steps.
    RING("ring"),
    /// Partners at distances 1, 2, 4, … exchange halves: the least bytes in few steps.
    HALVING_DOUBLING("halving-doubling"),
    /// Partners at distances 1, 2, 4, … exchange everything: the fewest steps, for short messages.
    DOUBLING("doubling"),
    /// Two binary trees, each for half of the data: all ranks send and receive at once.
    DOUBLE_TREE("double-tree"),
    /// One binomial tree.
    TREE("tree"),
    /// Each rank exchanges with each other, one distance after the other.
    PAIRWISE("pairwise"),
    /// Reduces within hosts, then between hosts, then spreads within hosts.
    HIERARCHICAL("hierarchical"),
    /// The switches of the network combine the vectors. It has no [Plan].
    IN_NETWORK("in-network");

    private final String text;

    Algorithm(String text) {
        this.text = text;
    }

    /// As on a command line.
    @Override
    public String toString() {
        return text;
    }
}
