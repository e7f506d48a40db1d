package dev.verbena.cli.explain;

/// One thing that may be wrong.
///
/// @param look what to type, or to read in the program, to see whether it is that
/// @param remedy what helps if it is
record Cause(String what, String look, String remedy) {}
