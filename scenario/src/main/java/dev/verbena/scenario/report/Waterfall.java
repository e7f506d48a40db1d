package dev.verbena.scenario.report;

import dev.verbena.collectives.trace.RankTrace;
import dev.verbena.collectives.trace.TracedStep;
import dev.verbena.scenario.run.JobResult;
import dev.verbena.scenario.run.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What each rank of a job did when: the operations, and in them the times in which the rank worked
/// itself, from its trace.
final class Waterfall {
    private static final int ROWS = 32;
    private static final int SPANS = 40_000;
    private static final double NS_PER_US = 1e3;
    private static final double UNSEEN = 0.001;
    private static final String OWN = "own work";

    private final Outcome outcome;
    private final JobResult job;

    Waterfall(Outcome outcome, JobResult job) {
        this.outcome = outcome;
        this.job = job;
    }

    void write(ObjectNode into) {
        String culprit = job.verdict() == null ? "" : job.verdict().culprit();
        List<Integer> ranks = ranks(culprit);
        ArrayNode rows = into.putArray("ranks");
        ranks.forEach(rows::add);
        into.put("straggler", culprit.startsWith("rank ") ? culprit : "");
        into.put("all", job.traces().isEmpty() ? ranks.size() : job.traces().size());
        ArrayNode spans = into.putArray("spans");
        for (JobResult.Span span : job.spans()) {
            if (ranks.contains(span.rank())) {
                add(spans, ranks.indexOf(span.rank()), span.kind(), span.fromUs(), span.untilUs());
            }
        }
        for (RankTrace trace : job.traces()) {
            if (ranks.contains(trace.rank())) {
                own(trace, ranks.indexOf(trace.rank()), spans);
            }
        }
    }

    private static void add(ArrayNode spans, int row, String kind, double from, double until) {
        if (until > from && spans.size() < SPANS) {
            ArrayNode one = spans.addArray();
            one.add(row).add(kind).add(round(from)).add(round(until));
        }
    }

    private static double round(double us) {
        return Math.round(us * 1000) / 1000.0;
    }

    /// Times in which the rank worked; those with a gap between them that cannot be seen are one.
    private void own(RankTrace trace, int row, ArrayNode spans) {
        double gapUs = outcome.spanUs() * UNSEEN;
        double from = Double.NaN;
        double until = Double.NaN;
        for (double[] each : worked(trace)) {
            if (each[0] <= until + gapUs) {
                until = Math.max(until, each[1]);
                continue;
            }
            if (!Double.isNaN(from)) {
                add(spans, row, OWN, from, until);
            }
            from = each[0];
            until = each[1];
        }
        if (!Double.isNaN(from)) {
            add(spans, row, OWN, from, until);
        }
    }

    private List<double[]> worked(RankTrace trace) {
        double originNs = outcome.originPs() / 1e3;
        List<double[]> found = new ArrayList<>();
        for (TracedStep step : trace.steps()) {
            if (step.kind() != TracedStep.Kind.OPERATION && step.ownNs() > 0) {
                found.add(
                        new double[] {
                            (step.hereNs() - originNs) / NS_PER_US,
                            (step.doneNs() - originNs) / NS_PER_US
                        });
            }
        }
        found.sort(Comparator.comparingDouble(it -> it[0]));
        return found;
    }

    /// All of a small job; of a large one those that worked the longest, and some of the others.
    private List<Integer> ranks(String culprit) {
        Map<Integer, Long> own = new TreeMap<>();
        job.spans().forEach(it -> own.putIfAbsent(it.rank(), 0L));
        for (RankTrace trace : job.traces()) {
            own.put(trace.rank(), trace.steps().stream().mapToLong(TracedStep::ownNs).sum());
        }
        if (own.size() <= ROWS) {
            return List.copyOf(own.keySet());
        }
        List<Integer> byWork =
                own.entrySet().stream()
                        .sorted(Map.Entry.<Integer, Long>comparingByValue().reversed())
                        .map(Map.Entry::getKey)
                        .toList();
        List<Integer> chosen = new ArrayList<>(byWork.subList(0, ROWS / 2));
        int step = Math.max(1, byWork.size() / (ROWS / 2));
        for (int i = 0; i < byWork.size() && chosen.size() < ROWS; i += step) {
            if (!chosen.contains(byWork.get(i))) {
                chosen.add(byWork.get(i));
            }
        }
        if (culprit.startsWith("rank ")) {
            int slow = Integer.parseInt(culprit.substring("rank ".length()));
            if (!chosen.contains(slow)) {
                chosen.set(0, slow);
            }
        }
        chosen.sort(Comparator.naturalOrder());
        return chosen;
    }
}
