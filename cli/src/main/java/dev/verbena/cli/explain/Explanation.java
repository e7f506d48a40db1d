package dev.verbena.cli.explain;

import java.util.List;

/// What a code means and what leads to it.
///
/// @param name ours, or that of errno.h
/// @param code the number
/// @param alias what others call it, and what kind of thing it is
/// @param vendor what the vendor's code adds; empty when none was given
record Explanation(
        String name, int code, String alias, String meaning, String vendor, List<Branch> branches) {
    Explanation {
        branches = List.copyOf(branches);
    }
}
