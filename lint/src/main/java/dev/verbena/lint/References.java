package dev.verbena.lint;

import java.util.List;

/// Names of entries that are not there.
final class References {
    private References() {}

    /// @param who the entry and field that refer to it
    static void missing(Setting name, String who, String table, Findings findings) {
        String shown = Shown.word(name.text());
        findings.ofPort(
                Code.VL103,
                who,
                name.place(),
                "no entry %s in %s".formatted(shown, table),
                List.of(name.place().says(shown)),
                "Correct the name, or add the entry.");
    }
}
