package dev.verbena.cli.explain;

import java.util.List;

/// Causes that have one look in common, most frequent first.
///
/// @param title what they have in common; empty when there is but one branch
record Branch(String title, List<Cause> causes) {
    Branch {
        causes = List.copyOf(causes);
    }

    static Branch of(String title, Cause... causes) {
        return new Branch(title, List.of(causes));
    }

    /// A tree without branches.
    static List<Branch> only(Cause... causes) {
        return List.of(new Branch("", List.of(causes)));
    }
}
