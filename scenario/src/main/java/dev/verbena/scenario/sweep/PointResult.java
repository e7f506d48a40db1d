package dev.verbena.scenario.sweep;

import dev.verbena.scenario.Metric;
import dev.verbena.scenario.run.Result;
import dev.verbena.scenario.run.WorkTimes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What became of one point. The same point gives the same text, wherever and how often it runs.
///
/// @param digest of the point and the version, by which results of another plan are known
/// @param error why it could not run; empty where it ran
/// @param holds whether all that it asserts holds
/// @param metrics by name, of workloads with their names before a dot
public record PointResult(
        String digest,
        String error,
        boolean holds,
        String culprit,
        String headline,
        Map<String, Double> metrics) {
    public PointResult {
        metrics = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }

    /// The digest of a point.
    ///
    /// @param text of its scenario
    public static String digest(String text, String version) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            byte[] all = (version + "\n" + text).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(sha.digest(all), 0, 16);
        } catch (NoSuchAlgorithmException none) {
            throw new AssertionError("every Java has SHA-256", none);
        }
    }

    /// A run.
    public static PointResult of(String digest, Result result) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        boolean isFlow = result.outcome().scenario().isFlowLevel();
        for (Metric each : Metric.values()) {
            boolean isCounted = each.of() != Metric.Of.ALL || !isFlow || each == Metric.SPAN;
            if (each != Metric.CULPRIT && isCounted) {
                put(metrics, each.toString(), result.measures().of("", each));
            }
        }
        if (result.outcome().works().size() > 1) {
            for (WorkTimes work : result.outcome().works()) {
                for (Metric each : Metric.values()) {
                    if (each.of() == Metric.Of.WORK) {
                        String name = work.name() + "." + each;
                        put(metrics, name, result.measures().of(work.name(), each));
                    }
                }
            }
        }
        return new PointResult(
                digest,
                "",
                result.isGood(),
                result.finding().culprit(),
                result.finding().headline(),
                metrics);
    }

    private static void put(Map<String, Double> into, String name, double value) {
        if (Double.isFinite(value)) {
            into.put(name, value);
        }
    }

    /// A point that cannot run, now and ever.
    public static PointResult refused(String digest, String error) {
        return new PointResult(digest, error, false, "", "", Map.of());
    }

    /// As JSON.
    public String text() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("digest", digest).put("error", error).put("holds", holds);
        json.put("culprit", culprit).put("headline", headline);
        ObjectNode all = json.putObject("metrics");
        metrics.forEach(all::put);
        return JsonMapper.shared().writeValueAsString(json) + "\n";
    }

    /// What [#text] wrote; empty for anything else.
    public static Optional<PointResult> parse(String text) {
        try {
            JsonNode json = JsonMapper.shared().readTree(text);
            if (!json.path("digest").isString() || !json.path("metrics").isObject()) {
                return Optional.empty();
            }
            Map<String, Double> metrics = new LinkedHashMap<>();
            json.path("metrics")
                    .properties()
                    .forEach(it -> metrics.put(it.getKey(), it.getValue().asDouble(0)));
            return Optional.of(
                    new PointResult(
                            json.path("digest").asString(),
                            json.path("error").asString(""),
                            json.path("holds").asBoolean(false),
                            json.path("culprit").asString(""),
                            json.path("headline").asString(""),
                            metrics));
        } catch (JacksonException damaged) {
            return Optional.empty();
        }
    }
}
