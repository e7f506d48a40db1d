package dev.verbena.lint;

import java.util.List;

/// The result of a check.
///
/// @param findings in the order of areas, then of places
/// @param unjudged questions that need a value which no file had
/// @param leftOut findings beyond the limit, which are counted only
public record Report(List<Finding> findings, List<Unjudged> unjudged, long leftOut) {
    public Report {
        findings = List.copyOf(findings);
        unjudged = List.copyOf(unjudged);
    }

    public long count(Severity severity) {
        return findings.stream().filter(finding -> finding.severity() == severity).count();
    }
}
