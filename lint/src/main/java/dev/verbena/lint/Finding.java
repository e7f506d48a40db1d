package dev.verbena.lint;

import java.util.List;

/// A setting that breaks a rule.
///
/// @param place the value to change
/// @param problem what is wrong, with the names of port, profile, partition
/// @param evidence lines `file:line: value`, and the limit that was compared with
/// @param remedy what to do, in a sentence
public record Finding(
        Code code, Place place, String problem, List<String> evidence, String remedy) {
    public Finding {
        problem = Shown.line(problem);
        evidence = evidence.stream().map(Shown::line).toList();
        remedy = Shown.line(remedy);
    }

    public Severity severity() {
        return code.severity();
    }
}
