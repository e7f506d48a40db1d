package dev.verbena.scenario.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.scenario.Metric;
import dev.verbena.scenario.read.Point;
import dev.verbena.scenario.read.Problem;
import dev.verbena.scenario.read.SweepReader;
import dev.verbena.scenario.run.Result;
import dev.verbena.scenario.run.Runs;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

@Tag("rules")
class SweepTest {
    private static final String TEXT =
            """
            sweep: small
            scenario: base.yaml
            axes:
              workloads[0].incast.size: [4K, "8K", 16K]
              seed: [1, 2]
            """;

    private static Sweep sweep(String text) {
        SweepReader.Reading read = SweepReader.read("s.yaml", text);
        assertThat(read.problems()).isEmpty();
        return Objects.requireNonNull(read.sweep());
    }

    @Test
    void theLastAxisChangesTheFastest() {
        assertThat(sweep(TEXT).points()).isEqualTo(6);
        assertThat(sweep(TEXT).list())
                .isEqualTo(
                        """
                        index,workloads[0].incast.size,seed
                        0,4K,1
                        1,4K,2
                        2,8K,1
                        3,8K,2
                        4,16K,1
                        5,16K,2
                        """);
    }

    @Test
    void aPointIsTheScenarioWithItsValues() {
        String text = Point.of(Runs.incast("base", ""), sweep(TEXT).point(3));
        Result result = Runs.of(text);
        assertThat(result.outcome().scenario().seed()).isEqualTo(2);
        assertThat(result.outcome().works().getFirst().bytes()).isEqualTo(4 * 8192);
    }

    @Test
    void aPathMayMakeWhatTheScenarioDoesNotHave() {
        var value = JsonNodeFactory.instance.numberNode(8);
        String text = Point.of(Runs.incast("base", ""), Map.of("fabric.qp_timeout", value));
        assertThat(Runs.scenario(text).network().qpTimeout()).isEqualTo(8);
    }

    @Test
    void aPathThatLeadsNowhereIsRefused() {
        var value = JsonNodeFactory.instance.numberNode(8);
        for (String path :
                List.of("workloads[1].name", "workloads.name", "seed.x", "faults[0].loss")) {
            assertThatThrownBy(() -> Point.of(Runs.incast("b", "seed: 1"), Map.of(path, value)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("leads nowhere");
        }
    }

    @Test
    void mistakesHavePlaceAndRemedy() {
        wrong("axes: {seed: [1]}", "s.yaml:1:1: scenario: name the scenario");
        wrong("scenario: b\naxis: 1\naxes: {seed: [1]}", "s.yaml:2:1: axis: there is no such key");
        wrong("scenario: b", "s.yaml:1:1: axes: add axes");
        wrong("scenario: b\naxes: {seed: 3}", "use a list of values");
        wrong("scenario: b\naxes: {seed: []}", "use a list of values");
        wrong("scenario: b\naxes: {seed: [1, 1]}", "the value is there already");
        wrong("scenario: b\naxes: {seed: [[1]]}", "use numbers and words only");
        wrong("scenario: b\naxes: {'a b': [1]}", "this is no place in a scenario");
        String values = "[" + "1,2,3,4,5,6,7,8,9,10" + "]";
        wrong(
                "scenario: b\naxes: {a: %1$s, b: %1$s, c: %1$s, d: %1$s, e: %1$s, f: [1, 2]}"
                        .formatted(values),
                "more than 16 axes or 100,000 points");
    }

    private static void wrong(String text, String part) {
        SweepReader.Reading read = SweepReader.read("s.yaml", text);
        assertThat(read.sweep()).isNull();
        assertThat(read.problems()).map(Problem::toString).anyMatch(it -> it.contains(part));
    }

    @Test
    void aResultIsTheSameTextEveryTimeAndIsReadBack() {
        PointResult one = PointResult.of("d", Runs.of(Runs.incast("x", "")));
        PointResult other = PointResult.of("d", Runs.of(Runs.incast("x", "")));
        assertThat(one.text()).isEqualTo(other.text());
        assertThat(PointResult.parse(one.text())).contains(one);
        assertThat(one.metrics()).containsKey(Metric.P99.toString());
        for (int length = 0; length < one.text().length() - 2; length += 7) {
            assertThat(PointResult.parse(one.text().substring(0, length))).isEmpty();
        }
    }

    @Test
    void anotherScenarioOrVersionHasAnotherDigest() {
        String digest = PointResult.digest("text", "1");
        assertThat(digest)
                .isEqualTo(PointResult.digest("text", "1"))
                .isNotEqualTo(PointResult.digest("text", "2"))
                .isNotEqualTo(PointResult.digest("other", "1"));
    }

    @Test
    void missingPointsAreNamedAsRanges() {
        TreeMap<Integer, PointResult> results = new TreeMap<>();
        assertThat(new Collected(sweep(TEXT), results).missing()).isEqualTo("0-5");
        results.put(1, PointResult.refused("d", "no, \"not\" this"));
        results.put(4, PointResult.refused("d", ""));
        Collected some = new Collected(sweep(TEXT), results);
        assertThat(some.missing()).isEqualTo("0, 2-3, 5");
        assertThat(some.missingCount()).isEqualTo(4);
        assertThat(some.failed()).isEqualTo(2);
        assertThat(some.csv())
                .isEqualTo(
                        """
                        index,workloads[0].incast.size,seed,holds,error,culprit,headline
                        1,4K,2,false,"no, ""not"" this",,
                        4,16K,1,false,,,
                        """);
    }
}
