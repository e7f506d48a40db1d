package dev.verbena.collectives.plan;

/// A piece of memory that a [Step] names.
public enum Place {
    /// What the caller hands in. A plan never writes to it, unless it is the output too.
    INPUT,
    /// Where the result goes. In place it is the same memory as the input.
    OUTPUT,
    /// Memory of the communicator, as much as [Plan#scratch] says.
    SCRATCH
}
