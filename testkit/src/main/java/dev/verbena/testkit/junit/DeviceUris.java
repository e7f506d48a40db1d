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
        templates = templates(plan.properties().device().orElse(DEFAULT));
    }

    private static List<String> templates(String given) {
        return List.of(given.split(",")).stream()
                .map(String::strip)
                .map(it -> it.endsWith(NAMELESS) ? it + "{name}-{run}" : it)
                .toList();
    }

    /// The schemes of the devices, when none of them has faults; empty when they do.
    static Optional<String> faultless(Plan plan) {
        List<String> schemes =
                templates(plan.properties().device().orElse(DEFAULT)).stream()
                        .map(DeviceUris::scheme)
                        .distinct()
                        .toList();
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
        boolean first = opened == 0;
        opened++;
        String uri =
                template.replace("{name}", name)
                        .replace("{run}", Long.toString(run))
                        .replace("{seed}", Long.toString(seed));
        return scheme(uri).equalsIgnoreCase(VIRTUAL) ? withParameters(uri, first) : uri;
    }

    /// The first device of a virtual network decides for all; parameters in the property are kept.
    private String withParameters(String uri, boolean first) {
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
