package dev.verbena.scenario.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.scenario.read.Setting;
import dev.verbena.scenario.report.CompareJson;
import dev.verbena.scenario.report.CompareText;
import dev.verbena.scenario.report.HtmlReport;
import dev.verbena.scenario.report.Provenance;
import dev.verbena.scenario.run.Runs;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("rules")
class ComparisonTest {
    private static final String PLAIN = Runs.incast("plain", "");
    private static final String BAD_CABLE =
            Runs.incast(
                    "bad cable",
                    """
                    fabric: {qp_timeout: 8}
                    faults: [{where: host-2, loss: 0.1}]
                    baseline: false
                    """);
    private static final String RING =
            """
            scenario: ring
            topology: {switch: {hosts: 4}}
            workloads:
              - {name: sum, collective: {operation: all_reduce, size: 64K, algorithm: ring}}
            """;

    private static Comparison compared(String a, String b) {
        return Comparison.of(
                new Comparison.Side("one", Runs.of(a)),
                new Comparison.Side("other", Runs.of(b)),
                Setting.different(a, b));
    }

    @Test
    void theSlowerOneIsNamedWhicheverIsFirst() {
        Comparison there = compared(PLAIN, BAD_CABLE);
        assertThat(there.headline()).startsWith("other takes ").contains(" as long as one: ");
        Comparison back = compared(BAD_CABLE, PLAIN);
        assertThat(back.headline()).startsWith("one takes ").contains(" as long as other: ");
    }

    @Test
    void countersOfTheSlowerOneAreTheReason() {
        Comparison both = compared(PLAIN, BAD_CABLE);
        assertThat(both.reasons().getFirst()).startsWith("packets that cables lost: other ");
        assertThat(both.reasons().getFirst()).endsWith(", one 0");
        assertThat(both.reasons())
                .contains("in other most of them at host 2 port 0 to leaf 0 port 2")
                .noneMatch(it -> it.contains("full buffers"));
    }

    @Test
    void dropsAndPausesAreToldApart() {
        Comparison both =
                compared(
                        PLAIN,
                        Runs.incast("l", "fabric: {pfc: false, buffer: 200K, qp_timeout: 10}"));
        assertThat(both.reasons().getFirst())
                .startsWith("packets that full buffers dropped: other");
    }

    @Test
    void ofEachSideTheLinkTheLossAndTheRemedyAreNamed() {
        String faulty = BAD_CABLE.replace("baseline: false\n", "");
        Comparison both = compared(faulty, faulty.replace("loss: 0.1", "loss: 0.2"));
        Provenance from = new Provenance("a.yaml", faulty, "verbena test", "");
        String text = CompareText.of(both, from, from).replaceAll("\\s+", " ");
        assertThat(text.split("The cable host 2 port 0 to leaf 0 port 2 made", -1)).hasSize(3);
        assertThat(text.split("planned: host-2 loses [12]0 % of packets", -1)).hasSize(3);
        assertThat(compared(faulty, faulty).reasons()).noneMatch(it -> it.contains("most of them"));
        assertThat(text.split("Try: Replace the cable or its optics", -1)).hasSize(3);
    }

    @Test
    void equalRunsTakeTheSameTimeForNoReason() {
        Comparison both = compared(PLAIN, PLAIN);
        assertThat(both.headline()).startsWith("one and other take the same time: ");
        assertThat(both.settings()).isEmpty();
    }

    @Test
    void theAlgorithmIsNoWorkButAReason() {
        String tree = RING.replace("ring}", "double-tree}");
        assertThat(SameWork.difference(Runs.scenario(RING), Runs.scenario(tree))).isEmpty();
        assertThat(compared(RING, tree).reasons()).anyMatch(it -> it.contains("combines by"));
    }

    @Test
    void otherWorkIsRefusedByName() {
        differs(PLAIN, PLAIN + "seed: 2", "seed: 1 and 2");
        differs(PLAIN, PLAIN.replace("256K", "255K"), "incast: bytes: 262144 and 261120");
        differs(PLAIN, PLAIN.replace("senders: 4", "senders: 3"), "incast: flows: 4 and 3");
        differs(PLAIN, PLAIN.replace("hosts: 5", "hosts: 6"), "hosts: 5 and 6");
        differs(PLAIN, PLAIN.replace("name: incast", "name: x"), "workloads: [incast] and [x]");
        differs(PLAIN, PLAIN.replace("256K}}", "256K}, class: 3}"), "incast: class: 0 and 3");
        differs(
                PLAIN,
                PLAIN.replace("256K}}", "256K}, start: 1us}"),
                "incast: times: from 0.0 us and from 1.0 us");
        differs(
                RING,
                RING.replace("64K", "32K"),
                "sum: 1 times all_reduce of 65,536 bytes on 4 ranks, from 0.0 us and 1 times"
                        + " all_reduce of 32,768 bytes on 4 ranks, from 0.0 us");
    }

    private static void differs(String a, String b, String difference) {
        assertThat(SameWork.difference(Runs.scenario(a), Runs.scenario(b))).contains(difference);
    }

    @Test
    void hostsThatBeginALittleApartDoTheSameWork() {
        String slower = PLAIN + "fabric: {jitter: 5us}";
        assertThat(SameWork.difference(Runs.scenario(PLAIN), Runs.scenario(slower))).isEmpty();
    }

    @Test
    void whatIsSetDifferentlyIsToldWithoutTitles() {
        assertThat(Setting.different(PLAIN, BAD_CABLE))
                .extracting(Setting::path)
                .containsExactly(
                        "baseline", "fabric.qp_timeout", "faults[0].loss", "faults[0].where");
    }

    @Test
    void reportsFitTheirFormsAndHaveNoMarkupOfTheUser() {
        String hostile = PLAIN.replace("plain", "\"</script><script>alert(1)</script>\"");
        Comparison both = compared(hostile, BAD_CABLE);
        Provenance a = new Provenance("a.yaml", hostile, "verbena test", "");
        Provenance b = new Provenance("b.yaml", BAD_CABLE, "verbena test", "");
        String text = CompareText.of(both, a, b);
        assertThat(text.lines()).allMatch(it -> it.length() <= 80);
        assertThat(text).startsWith("other takes ");
        List<CompareJson.Pair> pairs = List.of(new CompareJson.Pair("t", both, a, b, 1, 2));
        String page = HtmlReport.of(pairs, "verbena compare a b");
        assertThat(page).doesNotContain("<script>alert").contains("\\u003c/script");
        JsonNode json = JsonMapper.shared().readTree(CompareJson.of(pairs, "x"));
        JsonNode pair = json.path("pairs").path(0);
        assertThat(pair.path("b").path("metrics").path("lost").asDouble()).isPositive();
        assertThat(pair.path("figures").size()).isGreaterThan(5);
    }
}
