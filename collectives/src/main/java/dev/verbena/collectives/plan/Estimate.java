package dev.verbena.collectives.plan;

/// What an algorithm is thought to take for a shape.
///
/// @param steps messages one after the other, each of which waits for the one before
/// @param bytes what the busiest rank sends
public record Estimate(Algorithm algorithm, long steps, long bytes, double seconds) {}
