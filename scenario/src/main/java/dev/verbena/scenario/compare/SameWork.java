package dev.verbena.scenario.compare;

import dev.verbena.fabric.Flow;
import dev.verbena.fabric.Workload;
import dev.verbena.scenario.JobSpec;
import dev.verbena.scenario.Scenario;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// Whether two scenarios do the same work: the same messages between the same hosts, by the same
/// chance. Fabric, topology, faults, slow hosts and the algorithm of a collective may differ.
public final class SameWork {
    private final Scenario a;
    private final Scenario b;

    private SameWork(Scenario a, Scenario b) {
        this.a = a;
        this.b = b;
    }

    /// The first difference, such as `seed: 1 and 2`; empty where there is none.
    public static Optional<String> difference(Scenario a, Scenario b) {
        SameWork both = new SameWork(a, b);
        return both.unequal("seed", a.seed(), b.seed())
                .or(() -> both.unequal("level", level(a), level(b)))
                .or(() -> both.unequal("hosts", hosts(a), hosts(b)))
                .or(() -> both.unequal("workloads", names(a), names(b)))
                .or(both::flows)
                .or(both::job);
    }

    private Optional<String> unequal(String what, Object one, Object other) {
        return one.equals(other)
                ? Optional.empty()
                : Optional.of("%s: %s and %s".formatted(what, one, other));
    }

    private static String level(Scenario of) {
        return of.isFlowLevel() ? "flow" : "packet";
    }

    private static int hosts(Scenario of) {
        return of.network().topology().hosts();
    }

    private static List<String> names(Scenario of) {
        return Stream.concat(
                        of.asked().stream().map(Workload::name),
                        of.job().stream().map(JobSpec::name))
                .toList();
    }

    private Optional<String> flows() {
        for (int i = 0; i < a.asked().size(); i++) {
            Workload one = a.asked().get(i);
            Workload other = b.asked().get(i);
            Optional<String> found =
                    unequal(one.name() + ": protocol", one.protocol(), other.protocol())
                            .or(
                                    () ->
                                            unequal(
                                                    one.name() + ": flows",
                                                    one.flows().size(),
                                                    other.flows().size()))
                            .or(() -> flow(one, other));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<String> flow(Workload one, Workload other) {
        for (int i = 0; i < one.flows().size(); i++) {
            Flow left = one.flows().get(i);
            Flow right = other.flows().get(i);
            if (!left.equals(right)) {
                return unequal(one.name() + ": bytes", left.bytes(), right.bytes())
                        .or(() -> unequal(one.name() + ": flow", way(left), way(right)))
                        .or(() -> unequal(one.name() + ": class", left.level(), right.level()))
                        .or(() -> unequal(one.name() + ": times", times(left), times(right)));
            }
        }
        return Optional.empty();
    }

    private static String way(Flow flow) {
        return "host %d to host %d".formatted(flow.source(), flow.destination());
    }

    private static String times(Flow flow) {
        String until = flow.untilPs() == Flow.ONCE ? "" : " until " + flow.untilPs() / 1e6;
        return "from %s%s us".formatted(flow.startPs() / 1e6, until);
    }

    private Optional<String> job() {
        Optional<JobSpec> one = a.job().map(JobSpec::byAnyAlgorithm);
        Optional<JobSpec> other = b.job().map(JobSpec::byAnyAlgorithm);
        return Objects.equals(one, other)
                ? Optional.empty()
                : unequal(
                        one.map(JobSpec::name).orElse(""),
                        one.map(JobSpec::words).orElse("none"),
                        other.map(JobSpec::words).orElse("none"));
    }
}
