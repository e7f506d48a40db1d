package dev.verbena.lint;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// Profiles of marking, and the queues that use them.
final class MarkingTables {
    private static final long BYTES_MAX = 1L << 40;
    private static final int PERCENT_MAX = 100;

    private MarkingTables() {}

    static void assign(
            Function<String, ConfigTable> tables,
            Map<String, SwitchPort> ports,
            Findings findings) {
        Map<String, MarkingProfile> profiles = new HashMap<>();
        for (ConfigTable.Row row : tables.apply("WRED_PROFILE").rows()) {
            profiles.put(row.key(), profile(row, findings));
        }
        for (ConfigTable.Row row : tables.apply("QUEUE").rows()) {
            row.reference("wred_profile")
                    .ifPresent(
                            name -> {
                                MarkingProfile profile = profiles.get(name.text());
                                if (profile == null) {
                                    References.missing(
                                            name, row + " wred_profile", "WRED_PROFILE", findings);
                                } else {
                                    use(row, profile, ports, findings);
                                }
                            });
        }
    }

    private static MarkingProfile profile(ConfigTable.Row row, Findings findings) {
        return new MarkingProfile(
                row.key(),
                row.place(),
                row.field("ecn"),
                row.field("wred_green_enable"),
                row.figure("green_min_threshold", 0, BYTES_MAX, findings),
                row.figure("green_max_threshold", 0, BYTES_MAX, findings),
                row.figure("green_drop_probability", 0, PERCENT_MAX, findings));
    }

    private static void use(
            ConfigTable.Row row,
            MarkingProfile profile,
            Map<String, SwitchPort> ports,
            Findings findings) {
        Set<Integer> indices = Numbers.indices(row.last());
        if (indices.isEmpty()) {
            findings.unreadable(row.place(), row + " index", row.last(), "numbers, such as 3-4");
        }
        for (String name : row.ports()) {
            SwitchPort port = ports.get(name);
            if (port != null) {
                indices.forEach(i -> port.marking.put(i, profile));
            }
        }
    }
}
