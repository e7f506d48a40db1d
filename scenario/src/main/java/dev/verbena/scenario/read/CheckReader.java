package dev.verbena.scenario.read;

import dev.verbena.scenario.Check;
import dev.verbena.scenario.JobSpec;
import dev.verbena.scenario.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Reads what must hold after a run: `[WORKLOAD.]METRIC COMPARISON VALUE`.
final class CheckReader {
    private static final Pattern FORM =
            Pattern.compile(
                    "\\s*(?:([A-Za-z][\\w-]*)\\.)?([A-Za-z]\\w*)"
                            + "\\s*(<=|>=|==|!=|<|>)\\s*(.+?)\\s*");
    private static final double PS_PER_US = 1e6;

    private final Section root;

    /// By name of a workload, its kind.
    private final Map<String, String> names;

    private final Optional<JobSpec> job;
    private final boolean isFlowLevel;

    CheckReader(
            Section root, Map<String, String> names, Optional<JobSpec> job, boolean isFlowLevel) {
        this.root = root;
        this.names = names;
        this.job = job;
        this.isFlowLevel = isFlowLevel;
    }

    List<Check> read() {
        List<Check> all = new ArrayList<>();
        int number = 0;
        for (JsonNode each : root.node("assert")) {
            String key = "assert/" + number++;
            if (each.isString()) {
                try {
                    all.add(parse(each.asString()));
                } catch (IllegalArgumentException wrong) {
                    root.wrong(key, String.valueOf(wrong.getMessage()));
                }
            }
        }
        return all;
    }

    private Check parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "'%s' is no comparison; write it as p99 < 50us, or drops == 0".formatted(text));
        }
        String workload = form.group(1) == null ? "" : form.group(1);
        Metric metric = metric(form.group(2));
        check(workload, metric);
        Check.Comparison by = Check.Comparison.of(form.group(3)).orElseThrow();
        String value = form.group(4);
        if (metric.unit() == Metric.Unit.TEXT) {
            if (by != Check.Comparison.EQUAL && by != Check.Comparison.UNEQUAL) {
                throw new IllegalArgumentException(
                        "%s is a name; compare it by == or !=".formatted(metric));
            }
            String word = value.replaceAll("^\"|\"$", "");
            return new Check(text, workload, metric, by, 0, word);
        }
        return new Check(text, workload, metric, by, bound(metric, value), "");
    }

    private static Metric metric(String word) {
        Optional<Metric> known = Metric.named(word);
        if (known.isPresent()) {
            return known.get();
        }
        String all = SchemaCheck.or(Metric.names());
        String remedy =
                Nearest.to(word, Metric.names())
                        .map("did you mean %s?"::formatted)
                        .orElse("use " + all);
        throw new IllegalArgumentException("there is no metric '%s'; %s".formatted(word, remedy));
    }

    private void check(String workload, Metric metric) {
        if (!workload.isEmpty() && !names.containsKey(workload)) {
            throw new IllegalArgumentException(
                    "there is no workload '%s'; use %s"
                            .formatted(workload, SchemaCheck.or(List.copyOf(names.keySet()))));
        }
        if (!workload.isEmpty() && metric.of() == Metric.Of.ALL) {
            throw new IllegalArgumentException(
                    "%s is of the run as a whole; write it without '%s.'"
                            .formatted(metric, workload));
        }
        String owner = workload.isEmpty() ? job.map(JobSpec::name).orElse("") : workload;
        String kind = names.getOrDefault(owner, "");
        boolean isTraining = kind.equals("training");
        boolean isJob = isTraining || kind.equals("collective");
        if (metric.of() == Metric.Of.JOB && !isJob) {
            throw new IllegalArgumentException(
                    "%s is of a collective or training, and %s; use goodput or p99"
                            .formatted(
                                    metric,
                                    workload.isEmpty()
                                            ? "there is none"
                                            : "'" + workload + "' is none"));
        }
        boolean isOfTraining = metric == Metric.STEP_TIME || metric == Metric.EXPOSED;
        if ((isOfTraining && !isTraining) || (metric == Metric.BUSBW && isTraining)) {
            throw new IllegalArgumentException(
                    "%s is of a %s; use p99"
                            .formatted(metric, isOfTraining ? "training" : "collective"));
        }
        if (isFlowLevel && metric.of() == Metric.Of.ALL && metric != Metric.SPAN) {
            throw new IllegalArgumentException(
                    "%s counts packets, and level: flow has none; use level: packet"
                            .formatted(metric));
        }
    }

    private static double bound(Metric metric, String value) {
        return switch (metric.unit()) {
            case US -> Units.ps(value) / PS_PER_US;
            case BYTES -> Units.bytes(value);
            case GBITS -> number(metric, value, "Gb/s");
            case GBYTES -> number(metric, value, "GB/s");
            case PERCENT -> number(metric, value, "%");
            case FACTOR -> number(metric, value, "x");
            default -> number(metric, value, "");
        };
    }

    private static double number(Metric metric, String value, String unit) {
        String digits =
                !unit.isEmpty() && value.endsWith(unit)
                        ? value.substring(0, value.length() - unit.length()).strip()
                        : value;
        if (!digits.matches("\\d{1,15}(\\.\\d{1,9})?")) {
            throw new IllegalArgumentException(
                    "'%s' is no value of %s; write a number%s"
                            .formatted(
                                    value, metric, unit.isEmpty() ? "" : ", or one with " + unit));
        }
        return Double.parseDouble(digits);
    }
}
