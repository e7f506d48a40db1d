package dev.verbena.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.Fabric;
import dev.verbena.scenario.JobSpec;
import dev.verbena.scenario.Metric;
import dev.verbena.scenario.Scenario;
import java.util.Optional;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class ScenarioRunTest {
    @Test
    void anIncastTakesAsLongAsTheReceiversCableNeeds() {
        Result result = Runs.of(Runs.incast("four to one", ""));
        // 4 * 256 KiB at 400 Gb/s, without headers.
        double least = 4 * 262_144 * 8 / 400e3;
        assertThat(result.measures().of("", Metric.MAX)).isBetween(least, 1.1 * least);
        assertThat(result.finding().headline()).contains("Leaf 0 port 0 to host 0 is the limit");
        assertThat(result.isGood()).isTrue();
    }

    @Test
    void whatDoesNotHoldMakesTheRunBadAndSaysTheValue() {
        Result result = Runs.of(Runs.incast("too slow", "assert: [max < 1us]"));
        assertThat(result.isGood()).isFalse();
        assertThat(result.checks().getFirst().found()).endsWith(" us");
    }

    @Test
    void theSameSeedGivesTheSameTimes() {
        String text = Runs.incast("seeded", "seed: 11");
        assertThat(Runs.of(text).outcome().works()).isEqualTo(Runs.of(text).outcome().works());
    }

    @Test
    void aRunThatIsEndedEarlyGivesWhatIsKnown() {
        Scenario scenario = Runs.scenario(Runs.incast("stopped", "assert: [completed == 100%]"));
        Result result = ScenarioRun.of(scenario, (_, share) -> share < 0.3);
        assertThat(result.outcome().isPartial()).isTrue();
        assertThat(result.outcome().works().getFirst().bytes()).isPositive();
        assertThat(result.finding().headline()).startsWith("Stopped early.");
        assertThat(result.isGood()).isFalse();
    }

    @Test
    void lossesAreNamedByTheirCable() {
        Result result =
                Runs.of(
                        Runs.incast(
                                "a bad cable",
                                """
                                fabric: {qp_timeout: 8}
                                faults: [{where: host-2, loss: 0.1}]
                                """));
        assertThat(result.measures().of("", Metric.LOST)).isPositive();
        assertThat(result.finding().culprit()).isEqualTo("host 2 port 0 to leaf 0 port 2");
        assertThat(result.baseline()).isPresent();
        assertThat(result.measures().of("", Metric.SLOWDOWN)).isGreaterThan(1);
    }

    @Test
    void withoutPausesAFullBufferDropsAndTheFindingSaysSo() {
        Result result =
                Runs.of(Runs.incast("lossy", "fabric: {pfc: false, buffer: 200K, qp_timeout: 10}"));
        assertThat(result.measures().of("", Metric.DROPS)).isPositive();
        assertThat(result.finding().headline()).startsWith("Switches dropped");
    }

    @Test
    void aTrainingStepIsAsLongAsItsCalculationAndWhatIsExposed() {
        Result result =
                Runs.of(
                        """
                        scenario: training
                        topology: {switch: {hosts: 4}}
                        workloads:
                          - name: job
                            training:
                              {steps: 2, buckets: 2, bucket: 64K, forward: 50us, backward: 100us}
                        """);
        double step = result.measures().of("", Metric.STEP_TIME);
        double exposed = result.measures().of("", Metric.EXPOSED);
        assertThat(step).isGreaterThan(150);
        assertThat(step * (1 - exposed / 100)).isBetween(149.0, 151.0);
    }

    @Test
    void whatAFaultCostsAJobIsTheSumOverItsSteps() {
        Result result =
                Runs.of(
                        """
                        scenario: training
                        topology: {switch: {hosts: 4}}
                        workloads:
                          - name: job
                            training:
                              {steps: 3, buckets: 2, bucket: 1M, forward: 50us, backward: 100us}
                        faults: [{where: host-2, slow: 0.1}]
                        """);
        double slow = result.measures().of("", Metric.STEP_TIME);
        Measures healthy = new Measures(result.baseline().orElseThrow(), Optional.empty());
        double usual = healthy.of("", Metric.STEP_TIME);
        assertThat(slow).isGreaterThan(1.2 * usual);
        assertThat(result.measures().of("", Metric.LOST_TIME))
                .isCloseTo(3 * (slow - usual), Percentage.withPercentage(0.01));
        assertThat(result.finding().details()).anyMatch(it -> it.startsWith("job lost "));
        assertThat(healthy.of("", Metric.LOST_TIME)).isNaN();
    }

    @Test
    void makingConnectionsIsLittleOfTheWork() {
        Scenario scenario =
                Runs.scenario(
                        """
                        scenario: connections
                        topology: {switch: {hosts: 8}}
                        workloads:
                          - {name: sum, collective: {operation: all_reduce, size: 4M}}
                        """);
        Fabric fabric = new Fabric(scenario.network().topology(), scenario.network().settings());
        JobSpec.Collective spec = (JobSpec.Collective) scenario.job().orElseThrow();
        try (CollectiveJob job = new CollectiveJob(scenario, spec, fabric)) {
            job.prepare();
            long before = fabric.events();
            job.start();
            assertThat(job.run.run(job::look, Long.MAX_VALUE)).isTrue();
            assertThat(before).isBetween(1L, (fabric.events() - before) / 10);
        }
    }

    @Test
    void bothLevelsAgreeAboutAnOperation() {
        String text =
                """
                scenario: levels
                level: %s
                topology: {switch: {hosts: 8}, cables: {length: 10m}}
                workloads:
                  - name: sum
                    collective: {operation: all_reduce, size: 4M, algorithm: ring}
                """;
        double packets = Runs.of(text.formatted("packet")).measures().of("", Metric.MAX);
        double flows = Runs.of(text.formatted("flow")).measures().of("", Metric.MAX);
        assertThat(flows).isBetween(0.93 * packets, 1.07 * packets);
    }
}
