package dev.verbena.lint;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// OpenSM's options, as `opensm.conf` has them.
///
/// @param options by name; those that are unset, `(null)`, are not there
record OpenSmOptions(Place place, Map<String, Setting> options) {
    Optional<Setting> get(String name) {
        return Optional.ofNullable(options.get(name));
    }

    /// Whether an option is TRUE; when it is not there, its default.
    boolean isOn(String name, boolean usual) {
        return get(name).map(it -> it.text().toUpperCase(Locale.ROOT).equals("TRUE")).orElse(usual);
    }

    /// Where an option stands, or the beginning of the file.
    Place placeOf(String name) {
        return get(name).map(Setting::place).orElse(place);
    }

    String evidence(String name, String usual) {
        return get(name)
                .map(it -> it.place().says(name + " " + Shown.word(it.text())))
                .orElseGet(() -> place.says("%s is not there: %s".formatted(name, usual)));
    }
}
