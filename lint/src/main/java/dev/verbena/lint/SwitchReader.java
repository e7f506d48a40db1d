package dev.verbena.lint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads `config_db.json`: the tables that say how a switch treats lossless traffic.
final class SwitchReader {
    private static final String GLOBAL = "global";
    private static final long MBITS_MAX = 10_000_000;
    private static final int MTU_MAX = 65_535;
    private static final int METRES_MAX = 100_000;
    private static final int PRIORITY_MAX = 7;

    private final Json document;
    private final Findings findings;
    private final InputFile file;
    private final Map<String, SwitchPort> ports = new LinkedHashMap<>();

    private SwitchReader(InputFile file, Json document, Findings findings) {
        this.file = file;
        this.document = document;
        this.findings = findings;
    }

    static SwitchConfig read(InputFile file, Text text, Findings findings) {
        Json document = JsonReader.read(text, findings);
        if (!document.isObject()) {
            throw new LintException(
                    file.name() + ": not an object of tables, as config_db.json is");
        }
        return new SwitchReader(file, document, findings).read();
    }

    private SwitchConfig read() {
        ports();
        cables();
        neighbours();
        qosMaps();
        BufferTables buffers = BufferTables.read(this::table, findings);
        buffers.assign(ports);
        MarkingTables.assign(this::table, ports, findings);
        Optional<Figure> poll = watchdogs();
        List<SwitchPort> up = ports.values().stream().filter(port -> port.isUp).toList();
        return new SwitchConfig(
                hostName(), Place.start(file.name()), up, buffers.hasGroups(), poll);
    }

    private ConfigTable table(String name) {
        return ConfigTable.of(document, name, findings);
    }

    private String hostName() {
        return table("DEVICE_METADATA").rows().stream()
                .filter(row -> row.key().equals("localhost"))
                .flatMap(row -> row.field("hostname").stream())
                .map(Setting::text)
                .findFirst()
                .filter(_ -> !file.isNamed())
                .orElseGet(file::deviceName);
    }

    private void ports() {
        for (ConfigTable.Row row : table("PORT").rows()) {
            SwitchPort port = new SwitchPort(row.key(), row.place());
            // SONiC leaves a port down that has no admin_status.
            port.isUp = row.field("admin_status").filter(it -> it.text().equals("up")).isPresent();
            port.speedMbits = row.figure("speed", 1, MBITS_MAX, findings);
            port.mtu = row.figure("mtu", 1, MTU_MAX, findings);
            ports.put(row.key(), port);
        }
    }

    private void cables() {
        for (ConfigTable.Row row : table("CABLE_LENGTH").rows()) {
            row.fields()
                    .forEach(
                            (name, length) -> {
                                SwitchPort port = ports.get(name);
                                if (port != null) {
                                    port.cableMetres = metres(name, length);
                                }
                            });
        }
    }

    private Optional<Figure> metres(String port, Setting length) {
        String text = length.text();
        return text.endsWith("m")
                ? findings.figure(
                        new Setting(text.substring(0, text.length() - 1), length.place()),
                        "the cable length of " + Shown.word(port),
                        0,
                        METRES_MAX)
                : unreadable(length, "the cable length of " + port, "metres, such as 5m");
    }

    private void neighbours() {
        for (ConfigTable.Row row : table("DEVICE_NEIGHBOR").rows()) {
            SwitchPort port = ports.get(row.key());
            if (port != null) {
                port.neighbour = row.field("name");
                port.neighbourPort = row.field("port");
            }
        }
    }

    private void qosMaps() {
        QosMaps maps = new QosMaps(this::table, findings);
        for (ConfigTable.Row row : table("PORT_QOS_MAP").rows()) {
            if (row.key().equals(GLOBAL)) {
                ports.values().forEach(port -> port.dscpToClass = maps.of(row, "dscp_to_tc_map"));
            }
            for (String name : row.ports()) {
                SwitchPort port = ports.get(name);
                if (port != null) {
                    maps.assign(row, port);
                    port.pfcText = row.field("pfc_enable");
                    port.pfc = port.pfcText.map(this::priorities).orElse(Set.of());
                }
            }
        }
    }

    private Set<Integer> priorities(Setting setting) {
        if (setting.text().isBlank()) {
            return Set.of();
        }
        Set<Integer> indices = Numbers.indices(setting.text());
        if (indices.isEmpty() || indices.stream().anyMatch(it -> it > PRIORITY_MAX)) {
            unreadable(setting, "pfc_enable", "priorities from 0 to 7, such as 3,4");
            return Set.of();
        }
        return indices;
    }

    private Optional<Figure> watchdogs() {
        Optional<Figure> poll = Optional.empty();
        for (ConfigTable.Row row : table("PFC_WD").rows()) {
            if (row.key().equals("GLOBAL")) {
                poll = row.figure("POLL_INTERVAL", 1, Integer.MAX_VALUE, findings);
            }
            for (String name : row.ports()) {
                SwitchPort port = ports.get(name);
                if (port != null) {
                    port.watchdog =
                            Optional.of(
                                    new Watchdog(
                                            row.place(),
                                            row.figure(
                                                    "detection_time",
                                                    0,
                                                    Integer.MAX_VALUE,
                                                    findings),
                                            row.figure(
                                                    "restoration_time",
                                                    0,
                                                    Integer.MAX_VALUE,
                                                    findings),
                                            row.field("action")));
                }
            }
        }
        return poll;
    }

    private <T> Optional<T> unreadable(Setting setting, String what, String wanted) {
        findings.unreadable(setting.place(), what, setting.text(), wanted);
        return Optional.empty();
    }
}
