package dev.verbena.lint;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/// The maps between DSCP, traffic class, priority, priority group and queue, by the field of
/// `PORT_QOS_MAP` that refers to them.
final class QosMaps {
    private static final int DSCP_MAX = 63;
    private static final int CLASS_MAX = 15;
    private static final Map<String, String> TABLES =
            Map.of(
                    "dscp_to_tc_map", "DSCP_TO_TC_MAP",
                    "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP",
                    "tc_to_queue_map", "TC_TO_QUEUE_MAP",
                    "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE",
                    "pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP");

    private final Map<String, Map<String, QosMap>> maps = new HashMap<>();
    private final Findings findings;

    QosMaps(Function<String, ConfigTable> tables, Findings findings) {
        this.findings = findings;
        TABLES.forEach(
                (field, name) -> {
                    Map<String, QosMap> byName = new HashMap<>();
                    tables.apply(name).rows().forEach(row -> byName.put(row.key(), map(row)));
                    maps.put(field, byName);
                });
    }

    private QosMap map(ConfigTable.Row row) {
        boolean ofDscp = row.table().startsWith("DSCP");
        Map<Integer, Figure> entries = new TreeMap<>();
        row.fields()
                .forEach(
                        (from, to) -> {
                            Optional<Figure> key =
                                    findings.figure(
                                            new Setting(from, to.place()),
                                            row + " key",
                                            0,
                                            ofDscp ? DSCP_MAX : CLASS_MAX);
                            Optional<Figure> value =
                                    findings.figure(to, row + " " + Shown.word(from), 0, CLASS_MAX);
                            if (key.isPresent() && value.isPresent()) {
                                entries.put(key.get().asInt(), value.get());
                            }
                        });
        return new QosMap(row.table(), row.key(), row.place(), entries);
    }

    /// The map that a field of a row names; nothing, and a finding, when it is not there.
    Optional<QosMap> of(ConfigTable.Row row, String field) {
        Optional<Setting> name = row.reference(field);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Map<String, QosMap> byName = maps.getOrDefault(field, Map.of());
        QosMap map = byName.get(name.get().text());
        if (map == null) {
            References.missing(
                    name.get(), row + " " + field, TABLES.getOrDefault(field, field), findings);
        }
        return Optional.ofNullable(map);
    }

    void assign(ConfigTable.Row row, SwitchPort port) {
        port.hasMaps = true;
        of(row, "dscp_to_tc_map").ifPresent(map -> port.dscpToClass = Optional.of(map));
        port.classToGroup = of(row, "tc_to_pg_map");
        port.classToQueue = of(row, "tc_to_queue_map");
        port.priorityToQueue = of(row, "pfc_to_queue_map");
        port.priorityToGroup = of(row, "pfc_to_pg_map");
    }
}
