package dev.verbena.lint;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/// Keys, sweeps and limits of OpenSM.
final class SubnetRule implements Rule {
    private static final String LEASE = "m_key_lease_period";
    private static final String LEVEL = "m_key_protection_level";
    private static final String SWEEP = "sweep_interval";
    private static final long USUAL_SWEEP = 10;

    /// Numbers above these are replaced by OpenSM without a word but in its log.
    private static final Map<String, Integer> MOST =
            new TreeMap<>(
                    Map.of(
                            "lmc",
                            7,
                            "sm_priority",
                            15,
                            LEVEL,
                            3,
                            "qos_max_vls",
                            15,
                            "max_op_vls",
                            5,
                            "sm_sl",
                            15,
                            "lash_start_vl",
                            15));

    private static final Set<String> ENFORCE = Set.of("both", "in", "out", "off");

    @Override
    public void check(Scene scene, Findings findings) {
        for (OpenSmOptions options : scene.managers()) {
            limits(options, findings);
            OptionalLong sweep = number(options, SWEEP, findings);
            OptionalLong level = number(options, LEVEL, findings);
            OptionalLong lease = number(options, LEASE, findings);
            if (sweep.orElse(USUAL_SWEEP) == 0) {
                noSweep(options, findings);
            }
            key(options, level.orElse(0), findings);
            lease(options, level.orElse(0), lease.orElse(0), sweep.orElse(USUAL_SWEEP), findings);
            enforcement(options, findings);
        }
    }

    private static OptionalLong number(OpenSmOptions options, String name, Findings findings) {
        return options.get(name)
                .flatMap(it -> findings.figure(it, name, 0, Integer.MAX_VALUE))
                .map(it -> OptionalLong.of(it.value()))
                .orElse(OptionalLong.empty());
    }

    private static void limits(OpenSmOptions options, Findings findings) {
        MOST.forEach(
                (name, most) -> {
                    Optional<Setting> setting = options.get(name);
                    OptionalLong value =
                            setting.map(it -> Numbers.parse(it.text()))
                                    .orElse(OptionalLong.empty());
                    if (value.isPresent() && (value.getAsLong() < 0 || value.getAsLong() > most)) {
                        replaced(options, name, "0 to " + most, findings);
                    }
                });
        Optional<Setting> enforce = options.get("part_enforce");
        if (enforce.isPresent() && !ENFORCE.contains(enforce.get().text())) {
            replaced(options, "part_enforce", "both, in, out or off", findings);
        }
    }

    private static void replaced(
            OpenSmOptions options, String name, String limits, Findings findings) {
        String value = options.get(name).map(Setting::text).orElse("");
        findings.add(
                Code.VL814,
                options.placeOf(name),
                "%s is %s, and OpenSM takes %s".formatted(name, Shown.word(value), limits),
                List.of(options.evidence(name, "")),
                "Use %s.".formatted(limits));
    }

    private static void noSweep(OpenSmOptions options, Findings findings) {
        findings.add(
                Code.VL813,
                options.placeOf(SWEEP),
                "OpenSM learns of changes from traps only, which are lost easily",
                List.of(options.evidence(SWEEP, "10")),
                "Sweep each 10 s, which is the default.");
    }

    private static void key(OpenSmOptions options, long level, Findings findings) {
        boolean hasKey =
                options.get("m_key")
                        .map(it -> Numbers.parse(it.text()))
                        .filter(it -> it.orElse(0) != 0)
                        .isPresent();
        if (hasKey && level == 0) {
            // The key itself is no evidence to print.
            findings.add(
                    Code.VL811,
                    options.placeOf("m_key"),
                    "m_key is set, and at protection level 0 each node may read it",
                    List.of(
                            options.placeOf("m_key").says("m_key is set"),
                            options.evidence(LEVEL, "0")),
                    "Set m_key_protection_level to 1, 2 or 3.");
        }
    }

    private static void lease(
            OpenSmOptions options, long level, long lease, long sweep, Findings findings) {
        if (level > 0 && lease > 0 && sweep > 0 && sweep >= lease) {
            findings.add(
                    Code.VL812,
                    options.placeOf(LEASE),
                    "a lease of %d s, and a sweep each %d s, so that OpenSM raises the lease"
                            .formatted(lease, sweep),
                    List.of(options.evidence(LEASE, "0"), options.evidence(SWEEP, "10")),
                    "Make the lease longer than sweep_interval.");
        }
    }

    private static void enforcement(OpenSmOptions options, Findings findings) {
        boolean old = options.isOn("no_partition_enforcement", false);
        boolean off =
                options.get("part_enforce")
                        .filter(it -> it.text().toLowerCase(Locale.ROOT).equals("off"))
                        .isPresent();
        if (old || off) {
            String name = old ? "no_partition_enforcement" : "part_enforce";
            findings.add(
                    Code.VL816,
                    options.placeOf(name),
                    "switches pass packets of every partition, and hosts alone check P_Keys",
                    List.of(options.evidence(name, "")),
                    "Set part_enforce both.");
        }
    }
}
