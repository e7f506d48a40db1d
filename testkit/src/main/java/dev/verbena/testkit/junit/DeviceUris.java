package dev.verbena.testkit.junit;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which device each host opens; the rule stands at [RdmaTest].
final class DeviceUris {
    private static final String VIRTUAL = "virtual";
    private static final String DEFAULT = VIRTUAL + "://{name}";
    private static final String FABRIC = "fabric";
    private static final String FABRIC_DEFAULT = FABRIC + "://rdma-test-{run}/host-{index}";
    private static final String NAMELESS = "://";

    private final Plan plan;
    private final long seed;
    private final long run;
    private final Optional<Path> pcap;
    private final List<String> templates;
    private int opened;

    /// @param run a number that no two runs of this process share
    DeviceUris(Plan plan, long seed, long run, Optional<Path> pcap) {
        this.plan = plan;
        this.seed = seed;
        this.run = run;
        this.pcap = pcap;
        templates = templates(plan);
    }

    private static List<String> templates(Plan plan) {
        String usual = plan.test().fabric().isEmpty() ? DEFAULT : FABRIC_DEFAULT;
        return List.of(plan.properties().device().orElse(usual).split(",")).stream()
                .map(String::strip)
                .map(DeviceUris::named)
                .toList();
    }

    private static String named(String template) {
        if (template.equalsIgnoreCase(FABRIC + NAMELESS)) {
            return FABRIC_DEFAULT;
        }
        return template.endsWith(NAMELESS) ? template + "{name}-{run}" : template;
    }

    /// The schemes of the devices, when none of them has faults; empty when they do.
    static Optional<String> faultless(Plan plan) {
        List<String> schemes = templates(plan).stream().map(DeviceUris::scheme).distinct().toList();
        return schemes.stream().anyMatch(VIRTUAL::equalsIgnoreCase)
                ? Optional.empty()
                : Optional.of(String.join("://, ", schemes) + NAMELESS);
    }

    static String scheme(String uri) {
        int end = uri.indexOf(':');
        return end < 0 ? "" : uri.substring(0, end);
    }

    /// The URI of the next device.
    String next(String name) {
        String template = templates.get(opened % templates.size());
        int index = opened++;
        String uri =
                template.replace("{name}", name)
                        .replace("{index}", Integer.toString(index))
                        .replace("{run}", Long.toString(run))
                        .replace("{seed}", Long.toString(seed));
        boolean first = index == 0;
        if (scheme(uri).equalsIgnoreCase(VIRTUAL)) {
            return withParameters(uri, ofVirtual(first));
        }
        return first && template.equals(FABRIC_DEFAULT) ? withParameters(uri, ofFabric()) : uri;
    }

    /// The first device of a fabric describes it: as the test says, and with a host for each of its
    /// own unless it says how many.
    private Map<String, String> ofFabric() {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String part : plan.test().fabric().split("&", -1)) {
            int split = part.indexOf('=');
            if (split > 0) {
                parameters.put(part.substring(0, split), part.substring(split + 1));
            }
        }
        if (!parameters.containsKey("topology")) {
            parameters.putIfAbsent("hosts", Integer.toString(plan.test().hosts()));
        }
        parameters.putIfAbsent("seed", Long.toString(seed));
        return parameters;
    }

    /// The first device of a virtual network decides for all.
    private Map<String, String> ofVirtual(boolean first) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("network", "rdma-test-" + run);
        if (first) {
            parameters.put("seed", Long.toString(seed));
            for (Plan.Fault fault : Plan.Fault.values()) {
                parameters.put(fault.title(), Double.toString(fault.of(plan.test())));
            }
            parameters.put("delay", plan.test().delay());
            pcap.ifPresent(file -> parameters.put("pcap", file.toString()));
        }
        return parameters;
    }

    /// Parameters in the property are kept.
    private static String withParameters(String uri, Map<String, String> parameters) {
        StringBuilder text = new StringBuilder(uri);
        parameters.forEach(
                (name, value) -> {
                    if (!uri.contains("?" + name + "=") && !uri.contains("&" + name + "=")) {
                        char separator = text.indexOf("?") < 0 ? '?' : '&';
                        text.append(separator).append(name).append('=').append(escaped(value));
                    }
                });
        return text.toString();
    }

    private static String escaped(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }
}
