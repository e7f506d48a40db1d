package dev.verbena.scenario.report;

import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.PortCounts;
import dev.verbena.scenario.Check;
import dev.verbena.scenario.Metric;
import dev.verbena.scenario.Scenario;
import dev.verbena.scenario.run.Moments;
import dev.verbena.scenario.run.Outcome;
import dev.verbena.scenario.run.Result;
import dev.verbena.scenario.run.WorkTimes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A result as one JSON object, which the HTML page draws too. Times are microseconds.
public final class ResultJson {
    private static final int QUANTILES = 400;
    private static final int CELLS_MAX = 400_000;
    private static final double PS_PER_US = 1e6;

    private final Result result;
    private final Outcome outcome;
    private final Scenario scenario;
    private final Provenance from;
    private final ObjectNode json = JsonNodeFactory.instance.objectNode();

    private ResultJson(Result result, Provenance from) {
        this.result = result;
        this.from = from;
        outcome = result.outcome();
        scenario = outcome.scenario();
    }

    /// The text of the object.
    ///
    /// @param from where the result comes from
    public static String of(Result result, Provenance from) {
        return JsonMapper.shared().writeValueAsString(tree(result, from)) + "\n";
    }

    static ObjectNode tree(Result result, Provenance from) {
        ResultJson made = new ResultJson(result, from);
        made.head();
        made.figures();
        works(made.json, "works", result.outcome());
        result.baseline().ifPresent(it -> works(made.json, "works_without_faults", it));
        made.checks();
        made.faults();
        made.outcome.moments().filter(it -> it.steps() > 0).ifPresent(made::overTime);
        made.outcome
                .job()
                .filter(it -> !it.spans().isEmpty())
                .ifPresent(it -> new Waterfall(made.outcome, it).write(made.json.putObject("job")));
        return made.json;
    }

    private void head() {
        json.put("title", scenario.title());
        json.put("about", scenario.about());
        json.put("file", from.file());
        json.put("command", from.command());
        json.put("version", from.version());
        json.put("commit", from.commit());
        json.put("source", from.source());
        json.put("seed", scenario.seed());
        json.put("level", scenario.isFlowLevel() ? "flow" : "packet");
        json.put("fabric", scenario.network().text());
        json.put("infiniband", scenario.network().isInfiniBand());
        json.put("topology", scenario.network().topology().toString());
        ArrayNode tiers = json.putArray("tiers");
        scenario.network().topology().description().forEach(tiers::add);
        json.put("good", result.isGood());
        json.put("partial", outcome.isPartial());
        ObjectNode verdict = json.putObject("verdict");
        verdict.put("headline", result.finding().headline());
        verdict.put("culprit", result.finding().culprit());
        verdict.put("remedy", result.finding().remedy());
        ArrayNode details = verdict.putArray("details");
        result.finding().details().forEach(details::add);
    }

    private void figures() {
        ArrayNode kpis = json.putArray("kpis");
        for (Kpi each : Kpi.of(result)) {
            kpis.addObject()
                    .put("label", each.label())
                    .put("value", each.value())
                    .put("before", each.before());
        }
        ObjectNode metrics = json.putObject("metrics");
        for (Metric each : Metric.values()) {
            boolean isCounted = each.of() != Metric.Of.ALL || !scenario.isFlowLevel();
            double value =
                    each == Metric.CULPRIT || !isCounted
                            ? Double.NaN
                            : result.measures().of("", each);
            if (!Double.isNaN(value)) {
                metrics.put(each.toString(), value);
            }
        }
    }

    static void works(ObjectNode into, String name, Outcome of) {
        ArrayNode works = into.putArray(name);
        for (WorkTimes each : of.works()) {
            ObjectNode work = works.addObject();
            work.put("name", each.name());
            work.put("kind", each.kind());
            work.put("over", each.timesUs().size());
            work.put("wanted", each.wanted());
            work.put("failed", each.failed());
            work.put("bytes", each.bytes());
            work.put("goodput", each.goodput());
            for (Metric metric :
                    List.of(
                            Metric.MIN,
                            Metric.P50,
                            Metric.P90,
                            Metric.P99,
                            Metric.P999,
                            Metric.MAX)) {
                double value = value(each, metric);
                if (!Double.isNaN(value)) {
                    work.put(metric.toString(), value);
                }
            }
            ArrayNode times = work.putArray("times");
            int count = each.timesUs().size();
            int points = Math.min(count, QUANTILES);
            for (int i = 0; i < points; i++) {
                int at = points < 2 ? 0 : (int) ((long) i * (count - 1) / (points - 1));
                times.add(each.timesUs().get(at));
            }
        }
    }

    private static double value(WorkTimes of, Metric metric) {
        return switch (metric) {
            case MIN -> of.percentile(0);
            case P50 -> of.percentile(50);
            case P90 -> of.percentile(90);
            case P99 -> of.percentile(99);
            case P999 -> of.percentile(99.9);
            default -> of.percentile(100);
        };
    }

    private void checks() {
        ArrayNode checks = json.putArray("asserts");
        for (Result.Checked each : result.checks()) {
            Check check = each.check();
            checks.addObject()
                    .put("text", check.text())
                    .put("holds", each.holds())
                    .put("found", each.found());
        }
    }

    private void faults() {
        ArrayNode faults = json.putArray("faults");
        for (Scenario.Fault each : scenario.faults()) {
            ObjectNode fault = faults.addObject();
            fault.put("text", each.text());
            ArrayNode times = fault.putArray("times");
            for (CableFault one : each.cables().subList(0, Math.min(100, each.cables().size()))) {
                double until =
                        one.untilPs() == CableFault.FOR_EVER
                                ? outcome.spanUs()
                                : one.untilPs() / PS_PER_US;
                times.addArray().add(one.cable()).add(one.fromPs() / PS_PER_US).add(until);
            }
        }
    }

    private void overTime(Moments moments) {
        int cells = moments.ports() * moments.steps();
        int every = Math.max(1, Math.ceilDiv(cells, CELLS_MAX));
        ArrayNode until = json.putArray("until_us");
        for (int step = 0; step < moments.steps(); step++) {
            until.add(moments.endUs(step));
        }
        ObjectNode rates = json.putObject("rates");
        for (int i = 0; i < scenario.flows().size(); i++) {
            ArrayNode rate = rates.putArray(scenario.flows().get(i).name());
            for (int step = 0; step < moments.steps(); step++) {
                rate.add(Math.round(moments.gbits(i, step) * 100) / 100.0);
            }
        }
        ports(moments);
        if (scenario.recording().hasPorts()) {
            topology();
            ObjectNode series = json.putObject("over_time");
            series.put("every", every);
            matrix(series.putArray("load"), moments, every, (p, s) -> percent(moments.busy(p, s)));
            matrix(series.putArray("held"), moments, every, (p, s) -> percent(moments.held(p, s)));
            matrix(series.putArray("errors"), moments, every, moments::errors);
            matrix(series.putArray("queued"), moments, every, moments::queued);
        }
    }

    private interface Cell {
        long value(int port, int step);
    }

    /// A row for each port that has something to show, and its number before it.
    private static void matrix(ArrayNode into, Moments moments, int every, Cell cell) {
        for (int port = 0; port < moments.ports(); port++) {
            ArrayNode row = JsonNodeFactory.instance.arrayNode();
            boolean any = false;
            for (int step = 0; step < moments.steps(); step += every) {
                long most = 0;
                for (int i = step; i < Math.min(step + every, moments.steps()); i++) {
                    most = Math.max(most, cell.value(port, i));
                }
                row.add(most);
                any |= most != 0;
            }
            if (any) {
                into.addArray().add(port).add(row);
            }
        }
    }

    private static long percent(double share) {
        return Math.round(100 * share);
    }

    private void ports(Moments moments) {
        ArrayNode ports = json.putArray("ports");
        for (int i = 0; i < outcome.ports().size(); i++) {
            PortCounts port = outcome.ports().get(i);
            ports.addObject()
                    .put("node", port.node())
                    .put("port", port.port())
                    .put("neighbour", port.neighbour())
                    .put("busy", percent(moments.busy(i)))
                    .put("held", Math.round(1000 * moments.held(i)) / 10.0)
                    .put("errors", moments.errors(i))
                    .put("queued", moments.queued(i));
        }
    }

    private void topology() {
        Map<String, Integer> numbers = new HashMap<>();
        ArrayNode nodes = json.putArray("nodes");
        for (Drawing.Spot spot : new Drawing(outcome).spots()) {
            numbers.put(spot.name(), numbers.size());
            nodes.addArray().add(spot.name()).add(spot.tier()).add(spot.x()).add(spot.y());
        }
        ArrayNode cables = json.putArray("cables");
        for (int i = 0; i + 1 < outcome.ports().size(); i += 2) {
            PortCounts one = outcome.ports().get(i);
            cables.addArray()
                    .add(numbers.getOrDefault(one.node(), 0))
                    .add(numbers.getOrDefault(one.neighbour(), 0));
        }
    }
}
