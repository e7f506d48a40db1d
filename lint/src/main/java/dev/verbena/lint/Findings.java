package dev.verbena.lint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Collects what rules and readers report, and puts alike findings of many ports together.
final class Findings {
    private static final int FINDINGS_MAX = 1_000;
    private static final int PORTS_NAMED = 3;

    private static final Comparator<Finding> ORDER =
            Comparator.comparing((Finding it) -> it.code().area())
                    .thenComparing(it -> it.place().file())
                    .thenComparingInt(it -> it.place().line())
                    .thenComparing(Finding::code);

    private final List<Finding> findings = new ArrayList<>();
    private final Map<Alike, Group> groups = new LinkedHashMap<>();
    private final Set<Unjudged> unjudged = new LinkedHashSet<>();
    private long leftOut;

    /// Findings that differ in their ports only.
    private record Alike(Code code, String file, String detail, String remedy) {}

    private record Group(Place place, List<String> evidence, Set<String> ports) {}

    void add(Code code, Place place, String problem, List<String> evidence, String remedy) {
        if (findings.size() >= FINDINGS_MAX) {
            leftOut++;
            return;
        }
        findings.add(new Finding(code, place, problem, evidence, remedy));
    }

    /// A finding of a port, whose name comes before the detail; the evidence of the first of alike
    /// ones is kept.
    void ofPort(
            Code code,
            String port,
            Place place,
            String detail,
            List<String> evidence,
            String remedy) {
        Alike alike = new Alike(code, place.file(), detail, remedy);
        Group group = groups.get(alike);
        if (group == null) {
            if (groups.size() >= FINDINGS_MAX) {
                leftOut++;
                return;
            }
            group = new Group(place, evidence, new LinkedHashSet<>());
            groups.put(alike, group);
        }
        group.ports.add(port);
    }

    /// A value that cannot be what it has to be.
    void unreadable(Place place, String what, String text, String wanted) {
        add(
                Code.VL101,
                place,
                "%s is '%s'".formatted(what, Shown.word(text)),
                List.of(place.says(Shown.word(text))),
                "Give %s.".formatted(wanted));
    }

    /// A number of a file, or nothing and a finding.
    Optional<Figure> figure(Setting setting, String what, long least, long most) {
        OptionalLong value = Numbers.parse(setting.text());
        if (value.isPresent() && value.getAsLong() >= least && value.getAsLong() <= most) {
            return Optional.of(new Figure(value.getAsLong(), setting.place()));
        }
        unreadable(
                setting.place(),
                what,
                setting.text(),
                "a number from %d to %d".formatted(least, most));
        return Optional.empty();
    }

    void unjudged(Place place, String question, String missing) {
        if (unjudged.size() < FINDINGS_MAX) {
            unjudged.add(new Unjudged(place, question, missing));
        }
    }

    Report report() {
        groups.forEach(
                (alike, group) ->
                        add(
                                alike.code,
                                group.place,
                                names(group.ports) + " " + alike.detail,
                                group.evidence,
                                alike.remedy));
        groups.clear();
        findings.sort(ORDER);
        return new Report(findings, List.copyOf(unjudged), leftOut);
    }

    private static String names(Set<String> ports) {
        List<String> shown = ports.stream().limit(PORTS_NAMED).map(Shown::word).toList();
        int more = ports.size() - shown.size();
        return String.join(", ", shown) + (more == 0 ? "" : " and %d more".formatted(more)) + ":";
    }
}
