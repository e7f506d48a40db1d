package dev.verbena.lint;

import java.util.List;

/// All rules of a `partitions.conf`.
///
/// @param isWhole whether every rule could be read
record Partitions(Place place, List<Partition> rules, boolean isWhole) {}
