package dev.verbena.scenario.report;

import dev.verbena.scenario.Metric;
import dev.verbena.scenario.compare.Comparison;
import dev.verbena.scenario.read.Setting;
import dev.verbena.scenario.run.Moments;
import dev.verbena.scenario.run.Outcome;
import dev.verbena.scenario.run.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Comparisons as one JSON object, which the HTML page draws too.
public final class CompareJson {
    private static final int LINKS = 400;

    private CompareJson() {}

    /// One pair of a report.
    ///
    /// @param seconds that both runs took on the machine; 0 where that is not told
    /// @param heapBytes of the process after them
    public record Pair(
            String title,
            Comparison both,
            Provenance a,
            Provenance b,
            double seconds,
            long heapBytes) {}

    /// The text of the object.
    public static String of(List<Pair> pairs, String command) {
        return JsonMapper.shared().writeValueAsString(tree(pairs, command)) + "\n";
    }

    static ObjectNode tree(List<Pair> pairs, String command) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("command", command);
        json.put("version", pairs.getFirst().a().version());
        json.put("commit", pairs.getFirst().a().commit());
        ArrayNode all = json.putArray("pairs");
        for (Pair pair : pairs) {
            pair(all.addObject(), pair);
        }
        return json;
    }

    private static void pair(ObjectNode json, Pair pair) {
        Comparison both = pair.both();
        json.put("title", pair.title());
        json.put("headline", both.headline());
        ArrayNode reasons = json.putArray("reasons");
        both.reasons().forEach(reasons::add);
        json.put("good", both.isGood());
        json.put("seconds", pair.seconds());
        json.put("heap_bytes", pair.heapBytes());
        ArrayNode settings = json.putArray("settings");
        for (Setting each : both.settings()) {
            settings.addArray().add(each.path()).add(each.a()).add(each.b());
        }
        ArrayNode figures = json.putArray("figures");
        for (Figures each : Figures.of(both)) {
            ObjectNode one = figures.addObject();
            one.put("metric", each.metric()).put("meaning", each.meaning());
            one.put("a", each.a()).put("b", each.b());
            if (!Double.isNaN(each.ratio())) {
                one.put("ratio", each.ratio());
            }
        }
        side(json.putObject("a"), both.a(), pair.a());
        side(json.putObject("b"), both.b(), pair.b());
    }

    private static void side(ObjectNode json, Comparison.Side side, Provenance from) {
        Result result = side.result();
        Outcome outcome = result.outcome();
        json.put("label", side.label());
        json.put("file", from.file());
        json.put("source", from.source());
        json.put("title", outcome.scenario().title());
        json.put("fabric", outcome.scenario().network().text());
        json.put("topology", outcome.scenario().network().topology().toString());
        json.put("seed", outcome.scenario().seed());
        json.put("infiniband", outcome.scenario().network().isInfiniBand());
        json.put("verdict", result.finding().headline());
        ArrayNode details = json.putArray("details");
        if (result.baseline().isPresent()) {
            result.finding().details().forEach(details::add);
        }
        json.put("remedy", result.finding().remedy());
        ArrayNode failed = json.putArray("failed");
        result.checks().stream()
                .filter(it -> !it.holds())
                .forEach(it -> failed.add(it.check().text() + ": it is " + it.found()));
        ObjectNode metrics = json.putObject("metrics");
        for (Metric each : Metric.values()) {
            double value = each == Metric.CULPRIT ? Double.NaN : result.measures().of("", each);
            if (Double.isFinite(value)) {
                metrics.put(each.toString(), value);
            }
        }
        ResultJson.works(json, "works", outcome);
        outcome.moments().filter(it -> it.steps() > 0).ifPresent(it -> links(json, outcome, it));
    }

    /// The load of each direction of each cable, the highest first, and of the two worst ports what
    /// happened over time.
    private static void links(ObjectNode json, Outcome outcome, Moments moments) {
        ArrayNode load = json.putArray("load");
        double[] busy =
                IntStream.range(0, moments.ports()).mapToDouble(moments::busy).sorted().toArray();
        int count = Math.min(LINKS, busy.length);
        for (int i = 0; i < count; i++) {
            int at = count < 2 ? 0 : (int) ((long) i * (busy.length - 1) / (count - 1));
            load.add(Math.round(1000 * busy[busy.length - 1 - at]) / 10.0);
        }
        ArrayNode until = json.putArray("until_us");
        for (int step = 0; step < moments.steps(); step++) {
            until.add(moments.endUs(step));
        }
        series(json.putObject("queued"), outcome, moments, moments::queued, moments::queued);
        series(
                json.putObject("held"),
                outcome,
                moments,
                moments::held,
                (port, step) -> Math.round(1000 * moments.held(port, step)) / 10.0);
    }

    private interface Cell {
        double value(int port, int step);
    }

    /// The port that has the most of something, with its values.
    private static void series(
            ObjectNode json,
            Outcome outcome,
            Moments moments,
            IntToDoubleFunction whole,
            Cell cell) {
        List<Integer> order = new ArrayList<>();
        IntStream.range(0, moments.ports()).forEach(order::add);
        int worst = order.stream().max(Comparator.comparingDouble(whole::applyAsDouble)).orElse(0);
        var port = outcome.ports().get(worst);
        json.put("port", "%s port %d to %s".formatted(port.node(), port.port(), port.neighbour()));
        ArrayNode values = json.putArray("values");
        for (int step = 0; step < moments.steps(); step++) {
            values.add(cell.value(worst, step));
        }
    }
}
