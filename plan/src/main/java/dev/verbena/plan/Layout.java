package dev.verbena.plan;

import java.util.Locale;

/// Which leaf each NIC of a node is at.
public enum Layout {
    /// NICs of the same number at the same leaf, and all leaves under common spines.
    RAILS("rail-optimised, one network"),
    /// A network for each number: a NIC reaches those of its own number only.
    PLANES("rail planes without a common spine"),
    /// All NICs of a node at the same leaf.
    NODES("all NICs of a node at one leaf");

    private final String meaning;

    Layout(String meaning) {
        this.meaning = meaning;
    }

    public String meaning() {
        return meaning;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
