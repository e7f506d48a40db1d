package dev.verbena.lint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Can the members of each partition talk to each other?
final class PartitionRule implements Rule {
    private static final int MTU_CODE_MAX = 5;
    private static final int RATE_CODE_LEAST = 2;
    private static final int RATE_CODE_MAX = 24;

    @Override
    public void check(Scene scene, Findings findings) {
        for (Partitions partitions : scene.partitions()) {
            // OpenSM ignores a file with a malformed rule, which is a finding by itself.
            if (partitions.isWhole()) {
                usual(partitions, findings);
                sameKeys(partitions, findings);
                members(partitions, findings);
            }
            partitions.rules().forEach(rule -> codes(rule, findings));
            boolean hasLevels =
                    partitions.rules().stream()
                            .anyMatch(
                                    it ->
                                            it.serviceLevel()
                                                    .filter(sl -> sl.value() > 0)
                                                    .isPresent());
            if (hasLevels && scene.managers().isEmpty()) {
                findings.unjudged(
                        partitions.place(),
                        "whether the service levels of partitions are in force",
                        "opensm.conf beside it");
            }
        }
    }

    private static void usual(Partitions partitions, Findings findings) {
        if (partitions.rules().stream().noneMatch(Partition::isDefault)) {
            findings.add(
                    Code.VL901,
                    partitions.place(),
                    "no rule for 0x7fff, so that all ports but the manager's are limited in it",
                    List.of(
                            partitions
                                    .place()
                                    .says(
                                            "%d rules, none for 0x7fff"
                                                    .formatted(partitions.rules().size()))),
                    "Add Default=0x7fff, ipoib : ALL=full; or with the members that you want.");
        }
    }

    /// The rules of each P_Key; those without one are partitions of their own.
    private static List<List<Partition>> byKey(Partitions partitions) {
        Map<Integer, List<Partition>> rules = new LinkedHashMap<>();
        List<List<Partition>> all = new ArrayList<>();
        for (Partition rule : partitions.rules()) {
            if (rule.key().isPresent()) {
                rules.computeIfAbsent(rule.key().getAsInt(), _ -> new ArrayList<>()).add(rule);
            } else {
                all.add(List.of(rule));
            }
        }
        all.addAll(rules.values());
        return all;
    }

    private static void sameKeys(Partitions partitions, Findings findings) {
        for (List<Partition> rules : byKey(partitions)) {
            Partition first = rules.getFirst();
            for (Partition rule : rules) {
                if (!rule.name().equals(first.name())) {
                    findings.add(
                            Code.VL902,
                            rule.place(),
                            "%s has the P_Key of %s".formatted(rule.title(), first.title()),
                            List.of(
                                    first.place().says(first.title()),
                                    rule.place().says(rule.title())),
                            "Give each partition a P_Key of its own; only 15 bits count.");
                }
            }
        }
    }

    private static void members(Partitions partitions, Findings findings) {
        for (List<Partition> rules : byKey(partitions)) {
            List<Partition.Member> members =
                    rules.stream().flatMap(rule -> rule.members().stream()).toList();
            boolean talk = members.stream().anyMatch(Partition.Member::isFull);
            // The manager's port is always a full member of the default partition.
            if (!members.isEmpty() && !talk) {
                Partition first = rules.getFirst();
                findings.add(
                        Code.VL903,
                        first.place(),
                        "%s has limited members only, which cannot talk to each other"
                                .formatted(first.title()),
                        List.of(
                                first.place()
                                        .says("%d members, none full".formatted(members.size()))),
                        "Make members full: GUID=full, or defmember=full.");
            }
        }
    }

    private static void codes(Partition rule, Findings findings) {
        code(rule, rule.mtu(), "mtu", 1, MTU_CODE_MAX, "5 for 4,096 bytes", findings);
        code(
                rule,
                rule.rate(),
                "rate",
                RATE_CODE_LEAST,
                RATE_CODE_MAX,
                "3 for 10 Gb/s, 16 for 100",
                findings);
        if (rule.key().isPresent() && rule.key().getAsInt() == 0) {
            findings.add(
                    Code.VL904,
                    rule.place(),
                    "%s: a P_Key whose low 15 bits are 0 is none".formatted(rule.title()),
                    List.of(rule.place().says(rule.title())),
                    "Use 0x0001 to 0x7fff.");
        }
    }

    private static void code(
            Partition rule,
            Optional<Figure> value,
            String what,
            int least,
            int most,
            String example,
            Findings findings) {
        if (value.isPresent() && (value.get().value() < least || value.get().value() > most)) {
            Figure wrong = value.get();
            findings.add(
                    Code.VL904,
                    wrong.place(),
                    "%s: %s=%d is no code from %d to %d"
                            .formatted(rule.title(), what, wrong.value(), least, most),
                    List.of(wrong.place().says("%s=%d".formatted(what, wrong.value()))),
                    "Use the code of InfiniBand: %s.".formatted(example));
        }
    }
}
