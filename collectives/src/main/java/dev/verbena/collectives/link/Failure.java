package dev.verbena.collectives.link;

/// Why a communicator has failed.
///
/// @param rank that caused it
/// @param reason a sentence
public record Failure(int rank, String reason) {}
