package dev.verbena.collectives.plan;

/// The collective operations.
public enum Collective {
    /// Every rank gets the sum of all inputs.
    ALL_REDUCE,
    /// Every rank gets its part of the sum of all inputs.
    REDUCE_SCATTER,
    /// Every rank gets the inputs of all, in the order of ranks.
    ALL_GATHER,
    /// Every rank gets the input of the root.
    BROADCAST,
    /// The root gets the sum of all inputs.
    REDUCE,
    /// The root gets the inputs of all, in the order of ranks.
    GATHER,
    /// Every rank gets its part of the root's input.
    SCATTER,
    /// Every rank gets its part of each rank's input.
    ALL_TO_ALL,
    /// No rank is over before all have begun.
    BARRIER
}
