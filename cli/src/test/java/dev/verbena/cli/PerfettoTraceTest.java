package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.verbena.collectives.trace.RankTrace;
import dev.verbena.collectives.trace.StepTrace;
import dev.verbena.collectives.trace.TracedStep;
import dev.verbena.collectives.trace.TracedStep.Kind;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Trace files hold to the Trace Event Format: its phases and fields, slices that lie inside each
/// other or apart on each track, and asynchronous events in pairs.
class PerfettoTraceTest {
    @TempDir Path directory;

    @Test
    void theTraceOfASimulatedJobHoldsToTheFormat() throws IOException {
        Path file = directory.resolve("trace.json");
        Command run =
                Command.run(
                        "coll",
                        "all_reduce",
                        "--fabric",
                        "roce",
                        "--hosts",
                        8,
                        "-b",
                        "64K",
                        "-e",
                        "64K",
                        "--trace",
                        file);
        assertThat(run.status()).isZero();
        List<Map<String, String>> events = events(file);
        assertThat(run.out()).contains("steps of 8 ranks, 0 older ones left out");
        check(events);
        assertThat(events)
                .extracting(it -> it.get("args.name"))
                .contains("rank 0", "rank 7", "operations", "sends of lane 0");
        assertThat(events)
                .extracting(it -> it.get("name"))
                .contains("operation 1", "operation 3", "wait for rank 1");
    }

    @Test
    void aTraceThatIsTooLongLosesItsOldestSteps() throws IOException {
        List<RankTrace> traces = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            List<TracedStep> steps = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                long atNs = 1000L * i;
                steps.add(
                        new TracedStep(
                                Kind.SEND,
                                0,
                                1 - rank,
                                1,
                                i,
                                8192,
                                atNs,
                                atNs + 10,
                                atNs + 20,
                                atNs + 3000));
            }
            traces.add(new RankTrace(rank, steps, 7));
        }
        Path file = directory.resolve("trace.json");
        PerfettoTrace trace = new PerfettoTrace(traces, 20);
        trace.write(file);
        List<Map<String, String>> events = events(file);
        check(events);
        assertThat(trace).hasToString("20 steps of 2 ranks, 94 older ones left out");
        assertThat(events.stream().filter(it -> text(it, "name").startsWith("send to")))
                .hasSize(20);
        assertThat(events.stream().filter(it -> "0.000".equals(it.get("ts")))).hasSize(4);
        assertThat(Files.readString(file)).contains("\"steps_left_out\":94");
    }

    @Test
    void aStepThatIsNotAcknowledgedHasNoMessage() throws IOException {
        TracedStep step = new TracedStep(Kind.SEND, 3, 1, 1, 0, 64, 5, 5, 9, StepTrace.NONE);
        Path file = directory.resolve("trace.json");
        new PerfettoTrace(List.of(new RankTrace(0, List.of(step), 0)), 20).write(file);
        assertThat(events(file)).noneMatch(it -> "b".equals(it.get("ph")));
    }

    private static String text(Map<String, String> event, String key) {
        return event.getOrDefault(key, "");
    }

    private static void check(List<Map<String, String>> events) {
        Set<String> open = new HashSet<>();
        for (Map<String, String> event : events) {
            assertThat(event).containsKeys("ph", "pid", "tid", "name");
            String phase = text(event, "ph");
            assertThat(phase).isIn("M", "X", "b", "e");
            if (!phase.equals("M")) {
                assertThat(number(event, "ts")).isNotNegative();
            }
            if (phase.equals("X")) {
                assertThat(number(event, "dur")).isNotNegative();
            }
            String id = event.get("cat") + event.get("id");
            if (phase.equals("b")) {
                assertThat(open.add(id)).isTrue();
            } else if (phase.equals("e")) {
                assertThat(open.remove(id)).isTrue();
            }
        }
        assertThat(open).isEmpty();
        events.stream()
                .filter(it -> "X".equals(it.get("ph")))
                .collect(Collectors.groupingBy(it -> it.get("pid") + "/" + it.get("tid")))
                .values()
                .forEach(PerfettoTraceTest::checkTrack);
    }

    /// A slice that begins inside another one must end inside it.
    private static void checkTrack(List<Map<String, String>> slices) {
        List<BigDecimal[]> sorted = new ArrayList<>();
        for (Map<String, String> each : slices) {
            BigDecimal from = number(each, "ts");
            sorted.add(new BigDecimal[] {from, from.add(number(each, "dur"))});
        }
        sorted.sort(
                Comparator.<BigDecimal[], BigDecimal>comparing(it -> it[0])
                        .thenComparing(it -> it[1], Comparator.reverseOrder()));
        ArrayDeque<BigDecimal> ends = new ArrayDeque<>();
        for (BigDecimal[] slice : sorted) {
            while (!ends.isEmpty() && ends.peek().compareTo(slice[0]) <= 0) {
                ends.pop();
            }
            if (!ends.isEmpty()) {
                assertThat(slice[1]).isLessThanOrEqualTo(ends.peek());
            }
            ends.push(slice[1]);
        }
    }

    private static BigDecimal number(Map<String, String> event, String field) {
        return new BigDecimal(event.getOrDefault(field, "missing"));
    }

    /// The fields of each event as texts; those of its arguments behind `args.`.
    private static List<Map<String, String>> events(Path file) throws IOException {
        List<Map<String, String>> events = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
            assertThat(json.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            while (!"traceEvents".equals(json.nextFieldName())) {
                assertThat(json.currentToken()).isNotNull();
            }
            assertThat(json.nextToken()).isEqualTo(JsonToken.START_ARRAY);
            while (json.nextToken() == JsonToken.START_OBJECT) {
                Map<String, String> event = new HashMap<>();
                object(json, "", event);
                events.add(event);
            }
            assertThat(json.currentToken()).isEqualTo(JsonToken.END_ARRAY);
            assertThat(json.nextToken()).isEqualTo(JsonToken.END_OBJECT);
            assertThat(json.nextToken()).isNull();
        }
        return events;
    }

    private static void object(JsonParser json, String before, Map<String, String> into)
            throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = before + json.currentName();
            if (json.nextToken() == JsonToken.START_OBJECT) {
                object(json, field + ".", into);
            } else {
                into.put(field, json.getText());
            }
        }
    }
}
