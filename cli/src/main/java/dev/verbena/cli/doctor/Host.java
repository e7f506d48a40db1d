package dev.verbena.cli.doctor;

import java.util.List;
import java.util.Optional;

/// The files of a host. Paths are those that they have there, whatever holds them now.
///
/// Nothing throws: what cannot be read is not there. Half of sysfs answers with an error when the
/// thing behind a file is absent, so the two mean the same to a check.
interface Host {

    /// What a file holds, without white space around it.
    Optional<String> text(String path);

    /// The names in a directory, sorted; none when there is no such directory.
    List<String> names(String directory);

    boolean exists(String path);

    /// Whether this user may read and write it.
    boolean isOpenable(String path);

    /// A decimal number that a file holds, or what is given.
    default long number(String path, long otherwise) {
        try {
            return text(path).map(Long::parseLong).orElse(otherwise);
        } catch (NumberFormatException _) {
            return otherwise;
        }
    }

    /// A file and its value, as a finding shows it.
    default String evidence(String path) {
        return path + ": " + text(path).map(Host::firstLine).orElse("not there");
    }

    private static String firstLine(String text) {
        return text.isEmpty() ? "empty" : text.lines().findFirst().orElse("empty");
    }
}
