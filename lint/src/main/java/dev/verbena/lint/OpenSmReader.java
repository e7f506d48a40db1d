package dev.verbena.lint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads `opensm.conf`: a name and a value on each line.
final class OpenSmReader {
    private static final int NAME_CHARS_MAX = 80;
    private static final int TYPO_EDITS = 2;

    /// Options that rules look at, and others that a file of OpenSM 3.3 always has. Vendors add
    /// many more, so an unknown name alone is no finding.
    static final Set<String> KNOWN =
            Set.of(
                    "guid",
                    "m_key",
                    "sm_key",
                    "sa_key",
                    "subnet_prefix",
                    "m_key_lease_period",
                    "m_key_protection_level",
                    "m_key_lookup",
                    "sweep_interval",
                    "max_wire_smps",
                    "transaction_timeout",
                    "transaction_retries",
                    "sm_priority",
                    "lmc",
                    "lmc_esp0",
                    "max_op_vls",
                    "force_link_speed",
                    "force_link_width",
                    "reassign_lids",
                    "ignore_other_sm",
                    "subnet_timeout",
                    "packet_life_time",
                    "vl_stall_count",
                    "leaf_vl_stall_count",
                    "head_of_queue_lifetime",
                    "leaf_head_of_queue_lifetime",
                    "sminfo_polling_timeout",
                    "polling_retry_number",
                    "force_heavy_sweep",
                    "sweep_on_trap",
                    "routing_engine",
                    "avoid_throttled_links",
                    "connect_roots",
                    "use_ucast_cache",
                    "log_file",
                    "log_max_size",
                    "partition_config_file",
                    "no_partition_enforcement",
                    "part_enforce",
                    "allow_both_pkeys",
                    "qos",
                    "qos_policy_file",
                    "root_guid_file",
                    "cn_guid_file",
                    "io_guid_file",
                    "port_shifting",
                    "scatter_ports",
                    "max_reverse_hops",
                    "torus_config",
                    "do_mesh_analysis",
                    "exit_on_fatal",
                    "honor_guid2lid_file",
                    "babbling_port_policy",
                    "qos_max_vls",
                    "qos_high_limit",
                    "qos_vlarb_high",
                    "qos_vlarb_low",
                    "qos_sl2vl",
                    "congestion_control",
                    "lash_start_vl",
                    "sm_sl",
                    "nue_max_num_vls");

    private OpenSmReader() {}

    static boolean hasOptions(String text) {
        return text.lines().limit(10_000).anyMatch(line -> KNOWN.contains(name(line)));
    }

    private static String name(String line) {
        String trimmed =
                line.length() > 4 * NAME_CHARS_MAX ? line.substring(0, 4 * NAME_CHARS_MAX) : line;
        trimmed = trimmed.strip();
        int end = 0;
        while (end < trimmed.length() && isName(trimmed.charAt(end))) {
            end++;
        }
        return trimmed.substring(0, end);
    }

    private static boolean isName(char it) {
        return it == '_' || (it < 128 && Character.isLetterOrDigit(it));
    }

    static OpenSmOptions read(Text text, Findings findings) {
        Map<String, Setting> options = new LinkedHashMap<>();
        List<String> lines = text.lines();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            String name = name(line);
            if (!name.isEmpty()) {
                String value = value(line.substring(name.length()));
                Setting before = options.get(name);
                if (before != null) {
                    twice(name, before, text.line(i), findings);
                }
                if (value.isEmpty() || value.equals("(null)")) {
                    options.remove(name);
                } else {
                    options.put(name, new Setting(value, text.line(i)));
                }
                typo(name, text.line(i), findings);
            }
        }
        return new OpenSmOptions(Place.start(text.file()), options);
    }

    private static String value(String rest) {
        String value = rest.strip();
        value = value.startsWith("=") ? value.substring(1).strip() : value;
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    private static void twice(String name, Setting before, Place place, Findings findings) {
        findings.add(
                Code.VL102,
                place,
                "'%s' is there twice".formatted(name),
                List.of(before.place().says(name + " first"), place.says(name + " again")),
                "Keep one of them.");
    }

    private static void typo(String name, Place place, Findings findings) {
        if (KNOWN.contains(name) || name.length() > NAME_CHARS_MAX) {
            return;
        }
        Optional<String> near =
                KNOWN.stream()
                        .filter(known -> known.length() > 2 * TYPO_EDITS)
                        .filter(known -> edits(known, name.toLowerCase(Locale.ROOT)) <= TYPO_EDITS)
                        .min(
                                (a, b) ->
                                        edits(a, name) != edits(b, name)
                                                ? edits(a, name) - edits(b, name)
                                                : a.compareTo(b));
        near.ifPresent(
                known ->
                        findings.add(
                                Code.VL815,
                                place,
                                "'%s' is no option that OpenSM 3.3 has".formatted(name),
                                List.of(place.says(name)),
                                "Did you mean %s?".formatted(known)));
    }

    /// How many letters have to be put in, taken out or changed.
    private static int edits(String one, String other) {
        if (Math.abs(one.length() - other.length()) > TYPO_EDITS) {
            return Integer.MAX_VALUE;
        }
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
