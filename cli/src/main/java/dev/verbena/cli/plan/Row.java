package dev.verbena.cli.plan;

import java.util.List;

/// A line of a table.
///
/// @param key a name that does not change
/// @param cells one for each network
record Row(String key, String label, List<Cell> cells) {}
