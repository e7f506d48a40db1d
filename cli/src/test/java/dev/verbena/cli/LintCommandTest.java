package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.verbena.lint.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("command")
class LintCommandTest {
    private static final Path SAMPLES =
            Path.of(System.getProperty("verbena.root", "..")).resolve("docs/lint");

    private static Command lint(String words) {
        List<Object> all = new ArrayList<>(List.of("lint", "-C", SAMPLES));
        all.addAll(List.of(words.split(" ", -1)));
        return Command.run(all.toArray());
    }

    @Test
    void healthyFilesEndWithStatus0() {
        Command command = lint("leaf1.json spine1.json gpu1.mlnx_qos.txt gpu1.cma_roce_tos.txt");

        assertThat(command.status()).as(command.out()).isZero();
        assertThat(command.out()).endsWith("4 files: nothing to complain of\n");
    }

    @Test
    void aFindingIsStatus1AndHasCodeLineEvidenceAndRemedy() {
        Command command = lint("leaf1-faulty.json --dscp 26");

        assertThat(command.status()).isEqualTo(1);
        assertThat(command.err()).isEmpty();
        assertThat(command.out())
                .contains(
                        """
                        PFC watchdog
                          warning  VL501  Ethernet16: PFC without a row in PFC_WD
                                          leaf1-faulty.json:57: pfc_enable '3,4'
                                          Start the watchdog: pfcwd start --action drop … 200
                                          --restoration-time 200.
                        """)
                .endsWith("1 file: 2 errors, 2 warnings\n");
    }

    @Test
    void aWarningAloneIsAFindingToo() {
        Command command = lint("opensm.conf --topology torus");

        assertThat(command.out()).contains("warning  VL802").endsWith("0 errors, 1 warning\n");
        assertThat(command.status()).isEqualTo(1);
    }

    @Test
    void theCallersValuesAreUsed(@TempDir Path directory) throws IOException {
        Path leaf = directory.resolve("leaf1.json");
        String text = Files.readString(SAMPLES.resolve("leaf1.json"));
        Files.writeString(leaf, text.replace("CABLE_LENGTH", "CABLES"));

        Command without = Command.run("lint", leaf);
        assertThat(without.out()).contains("--cable-length").contains("--round-trip");
        assertThat(without.status()).isZero();
        Command with = Command.run("lint", "--cable-length", "5000", "--round-trip", "500", leaf);
        assertThat(with.out()).contains("VL301", "a cable of 5000m", "VL405");
        assertThat(Command.run("lint", "--dscp", "27", leaf).out()).contains("VL205");
    }

    @Test
    void aKindAndADeviceMayBeNamed(@TempDir Path directory) throws IOException {
        Path tos = directory.resolve("output");
        Files.writeString(tos, "0\n");
        Path qos = SAMPLES.resolve("gpu1.mlnx_qos.txt");

        assertThat(Command.run("lint", "cma_roce_tos@gpu1:" + tos, qos).out()).contains("VL703");
        assertThat(Command.run("lint", "cma_roce_tos@gpu2:" + tos, qos).out())
                .doesNotContain("VL703");
        assertThat(Command.run("lint", "opensm:" + tos).status()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"leaf1-faulty.json --dscp 26", "opensm.conf partitions.conf", "--list"})
    void textFitsEightyColumns(String words) {
        assertThat(lint(words).out().lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "lint => no file to check",
                "lint nowhere.json => no file nowhere.json",
                "lint . => Is a directory",
                "lint --json --sarif x => --json and --sarif: use one of them",
                "lint --dscp 64 x => --dscp 64: out of range; use 0 to 63",
                "lint --cable-length 0 x => --cable-length 0: out of range; use 0.1 to 100000",
                "lint --round-trip NaN x => --round-trip NaN: out of range",
                "lint --topology ring x => TREE, TORUS, OTHER",
                "lint --explain VL999 => no code VL999; --list has all",
            })
    void wrongUseIsStatus2AndOneLine(String words, String expected) {
        Command command = Command.run((Object[]) words.split(" ", -1));

        assertThat(command.status()).isEqualTo(2);
        assertThat(command.out()).isEmpty();
        assertThat(command.err().lines()).hasSize(1);
        assertThat(command.err()).contains(expected);
    }

    @Test
    void aFileThatCannotBeCheckedIsStatus2AndOneLine(@TempDir Path directory) throws IOException {
        Path broken = directory.resolve("leaf.json");
        Files.writeString(broken, "{\n \"PORT\": [\n");
        Command command = Command.run("lint", broken);

        assertThat(command.status()).isEqualTo(2);
        assertThat(command.out()).isEmpty();
        assertThat(command.err().lines()).hasSize(1);
        assertThat(command.err()).contains("leaf.json:3: not valid JSON");
    }

    @Test
    void aDeviceThatNeverEndsIsReadToTheLimitOnly() {
        Command command = Command.run("lint", "/dev/zero");

        assertThat(command.status()).isEqualTo(2);
        assertThat(command.err()).contains("has 16,777,217 bytes: the limit is 16,777,216");
    }

    @Test
    void everyCodeIsExplained() {
        for (Code code : Code.values()) {
            Command command = lint("--explain " + code.name().toLowerCase(Locale.ROOT));
            assertThat(command.status()).isZero();
            assertThat(command.out()).contains(code.name(), "Remedy:");
            assertThat(command.out().lines())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        }
    }

    @Test
    void jsonHasEveryFindingAndTheSums() throws IOException {
        Map<String, Object> report = object(lint("leaf1-faulty.json --dscp 26 --json").out());

        assertThat(report).containsEntry("errors", 2).containsEntry("warnings", 2);
        assertThat(list(report, "findings")).hasSize(4);
        assertThat(list(report, "findings").getFirst())
                .containsEntry("code", "VL205")
                .containsEntry("severity", "error")
                .containsEntry("file", "leaf1-faulty.json")
                .containsEntry("line", 23)
                .containsKeys("column", "meaning", "area", "problem", "evidence", "remedy");
        assertThat(list(report, "not_judged")).isEmpty();
        assertThat(list(object(lint("leaf1.json --json").out()), "not_judged").getFirst())
                .containsKeys("file", "line", "question", "missing");
    }

    /// The properties that SARIF 2.1.0 requires, and those that code hosts need.
    @Test
    void sarifHasWhatTheFormatRequires() throws IOException {
        Map<String, Object> log = object(lint("leaf1-faulty.json opensm.conf --sarif").out());

        assertThat(log).containsEntry("version", "2.1.0");
        assertThat((String) log.get("$schema")).contains("sarif-2.1.0");
        Map<String, Object> run = list(log, "runs").getFirst();
        Map<String, Object> driver = map(map(run, "tool"), "driver");
        assertThat(driver).containsEntry("name", "verbena lint");
        List<Map<String, Object>> rules = list(driver, "rules");
        assertThat(rules).extracting(rule -> rule.get("id")).doesNotHaveDuplicates();
        for (Map<String, Object> rule : rules) {
            assertThat((String) map(rule, "shortDescription").get("text")).isNotBlank();
            assertThat((String) map(rule, "help").get("text")).isNotBlank();
            assertThat(map(rule, "defaultConfiguration").get("level")).isIn("error", "warning");
        }
        List<Map<String, Object>> results = list(run, "results");
        assertThat(results).hasSize(5);
        for (Map<String, Object> result : results) {
            assertThat((String) map(result, "message").get("text")).isNotBlank();
            Map<String, Object> place =
                    map(list(result, "locations").getFirst(), "physicalLocation");
            assertThat((String) map(place, "artifactLocation").get("uri"))
                    .matches("\\./[a-z0-9.-]+");
            assertThat((Integer) map(place, "region").get("startLine")).isPositive();
            assertThat((Integer) map(place, "region").get("startColumn")).isPositive();
            if (result.containsKey("kind")) {
                assertThat(result).containsEntry("kind", "open").containsEntry("level", "none");
            } else {
                int index = Integer.parseInt(String.valueOf(result.get("ruleIndex")));
                assertThat(rules.get(index)).containsEntry("id", result.get("ruleId"));
                assertThat(result.get("level")).isIn("error", "warning");
            }
        }
        assertThat(results).extracting(result -> result.get("kind")).contains("open");
    }

    @Test
    void anOddNameIsEscapedInSarif(@TempDir Path directory) throws IOException {
        Path odd = directory.resolve("a b%.json");
        Files.copy(SAMPLES.resolve("leaf1-faulty.json"), odd);
        Command command = Command.run("lint", "--sarif", "-C", directory, "a b%.json");

        assertThat(command.out()).contains("\"uri\":\"./a%20b%25.json\"");
    }

    private static Map<String, Object> object(String text) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(text)) {
            parser.nextToken();
            @SuppressWarnings("unchecked")
            Map<String, Object> object = (Map<String, Object>) value(parser);
            assertThat(parser.nextToken()).isNull();
            return object;
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> members = new LinkedHashMap<>();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    members.put(name, value(parser));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<Object> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value(parser));
                }
                yield items;
            }
            case VALUE_NUMBER_INT -> parser.getIntValue();
            default -> parser.getText();
        };
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Map<String, Object> holder, String name) {
        assertThat(holder).containsKey(name);
        return (Map<String, Object>) Objects.requireNonNull(holder.get(name));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> holder, String name) {
        assertThat(holder).containsKey(name);
        return (List<Map<String, Object>>) Objects.requireNonNull(holder.get(name));
    }
}
