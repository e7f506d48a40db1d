package dev.verbena.verbs.baton;

/// What the users of a scheduler call its parts, for errors.
///
/// @param whole what runs: `simulation`
/// @param part one of its threads: `program`
/// @param start what to do with a thread that is none of them
/// @param block what to do instead of blocking, or when that is too early
/// @param limit how to raise the limit of virtual time
public record Words(String whole, String part, String start, String block, String limit) {}
