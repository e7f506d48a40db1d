package dev.verbena.lint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Pools and profiles of a switch's buffer, and which priority groups and queues use them.
final class BufferTables {
    private static final String PROFILES = "BUFFER_PROFILE";
    private static final long BYTES_MAX = 1L << 40;
    private static final int POWER_MAX = 16;

    private final Map<String, BufferPool> pools = new LinkedHashMap<>();
    private final Map<String, BufferProfile> profiles = new LinkedHashMap<>();

    /// Profiles whose headroom the switch calculates.
    private final Set<String> calculated = new java.util.HashSet<>();

    private final ConfigTable groups;
    private final ConfigTable queues;
    private final Findings findings;

    private BufferTables(Function<String, ConfigTable> tables, Findings findings) {
        this.groups = tables.apply("BUFFER_PG");
        this.queues = tables.apply("BUFFER_QUEUE");
        this.findings = findings;
    }

    static BufferTables read(Function<String, ConfigTable> tables, Findings findings) {
        BufferTables buffers = new BufferTables(tables, findings);
        tables.apply("BUFFER_POOL").rows().forEach(buffers::pool);
        tables.apply(PROFILES).rows().forEach(buffers::profile);
        return buffers;
    }

    private void pool(ConfigTable.Row row) {
        pools.put(
                row.key(),
                new BufferPool(
                        row.key(),
                        row.place(),
                        row.field("type").map(Setting::text).orElse(""),
                        row.figure("size", 0, BYTES_MAX, findings),
                        row.figure("xoff", 0, BYTES_MAX, findings)));
    }

    private void profile(ConfigTable.Row row) {
        Optional<Setting> name = row.reference("pool");
        Optional<BufferPool> pool = name.map(it -> pools.get(it.text()));
        if (name.isPresent() && pool.isEmpty()) {
            References.missing(name.get(), row + " pool", "BUFFER_POOL", findings);
        }
        if (row.field("headroom_type").filter(it -> it.text().equals("dynamic")).isPresent()) {
            calculated.add(row.key());
        }
        profiles.put(
                row.key(),
                new BufferProfile(
                        row.key(),
                        row.place(),
                        pool,
                        row.figure("size", 0, BYTES_MAX, findings),
                        row.figure("xoff", 0, BYTES_MAX, findings),
                        row.figure("xon", 0, BYTES_MAX, findings),
                        row.figure("dynamic_th", -POWER_MAX, POWER_MAX, findings),
                        row.figure("static_th", 0, BYTES_MAX, findings)));
    }

    boolean hasGroups() {
        return !groups.isEmpty();
    }

    void assign(Map<String, SwitchPort> ports) {
        groups.rows().forEach(row -> uses(row, ports, true));
        queues.rows().forEach(row -> uses(row, ports, false));
    }

    private void uses(ConfigTable.Row row, Map<String, SwitchPort> ports, boolean isGroup) {
        Set<Integer> indices = Numbers.indices(row.last());
        if (indices.isEmpty()) {
            findings.unreadable(row.place(), row + " index", row.last(), "numbers, such as 3-4");
            return;
        }
        Optional<BufferProfile.Use> use = use(row);
        if (use.isEmpty()) {
            return;
        }
        for (String name : row.ports()) {
            SwitchPort port = ports.get(name);
            if (port != null) {
                indices.forEach(i -> (isGroup ? port.groups : port.queues).put(i, use.get()));
            }
        }
    }

    private Optional<BufferProfile.Use> use(ConfigTable.Row row) {
        Optional<Setting> name = row.reference("profile");
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Setting reference = name.get();
        // SONiC's word for a lossless profile that the switch is to calculate.
        if (reference.text().equals("NULL") || calculated.contains(reference.text())) {
            return Optional.of(new BufferProfile.Use(reference.place(), Optional.empty(), true));
        }
        BufferProfile profile = profiles.get(reference.text());
        if (profile == null) {
            References.missing(reference, row + " profile", PROFILES, findings);
            return Optional.empty();
        }
        return Optional.of(new BufferProfile.Use(reference.place(), Optional.of(profile), false));
    }
}
