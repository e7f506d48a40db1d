package dev.verbena.scenario.run;

import dev.verbena.scenario.Check;
import dev.verbena.scenario.Metric;
import dev.verbena.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Runs a scenario, once more without its faults, and measures it.
public final class ScenarioRun {
    private ScenarioRun() {}

    /// Runs a scenario.
    ///
    /// @param watcher hears how far it is, and may end it early
    /// @throws IllegalArgumentException where the fabric cannot be made
    public static Result of(Scenario scenario, Watcher watcher) {
        Outcome outcome = run(scenario, "", watcher);
        Optional<Outcome> baseline = Optional.empty();
        if (scenario.hasBaseline() && !outcome.isPartial()) {
            baseline =
                    Optional.of(run(scenario.healthy(), "without faults: ", watcher))
                            .filter(it -> !it.isPartial());
        }
        Measures measures = new Measures(outcome, baseline);
        Finding finding = Findings.of(outcome, measures);
        List<Result.Checked> checks = new ArrayList<>();
        for (Check each : scenario.checks()) {
            checks.add(checked(each, measures, finding));
        }
        return new Result(outcome, baseline, measures, finding, checks);
    }

    private static Outcome run(Scenario scenario, String what, Watcher watcher) {
        if (scenario.isFlowLevel()) {
            return new FlowLevelRun(scenario, what, watcher).run();
        }
        try (PacketRun run = new PacketRun(scenario, what, watcher)) {
            return run.run();
        }
    }

    private static Result.Checked checked(Check check, Measures measures, Finding finding) {
        if (check.metric() == Metric.CULPRIT) {
            return new Result.Checked(check, check.holds(finding.culprit()), finding.culprit());
        }
        double value = measures.of(check.workload(), check.metric());
        if (Double.isNaN(value)) {
            return new Result.Checked(check, false, "not known: nothing of it is over");
        }
        return new Result.Checked(check, check.holds(value), Measures.text(check.metric(), value));
    }
}
