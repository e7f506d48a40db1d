package dev.verbena.lint;

import java.util.Map;
import java.util.OptionalInt;

/// A map of one kind of class to another, such as `DSCP_TO_TC_MAP|AZURE`.
///
/// @param entries where each number leads, with its line
record QosMap(String table, String name, Place place, Map<Integer, Figure> entries) {

    OptionalInt to(int from) {
        Figure to = entries.get(from);
        return to == null ? OptionalInt.empty() : OptionalInt.of(to.asInt());
    }

    /// The line of an entry, or of the map where it has none.
    Place placeOf(int from) {
        Figure to = entries.get(from);
        return to == null ? place : to.place();
    }

    String evidence(int from) {
        Figure to = entries.get(from);
        return to == null
                ? place.says("%s %s has no %d".formatted(table, Shown.word(name), from))
                : to.place()
                        .says(
                                "%s %s: %d to %d"
                                        .formatted(table, Shown.word(name), from, to.value()));
    }
}
