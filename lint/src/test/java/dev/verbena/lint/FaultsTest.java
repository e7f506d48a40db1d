package dev.verbena.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// One change to healthy files is found by its code, and by no other.
@Tag("rules")
class FaultsTest {
    private static final Path TABLE = Path.of("src/test/resources/dev/verbena/lint/faults.txt");

    /// A line of the table.
    record Fault(String code, List<String> files, List<String> changes, Assumptions assumptions) {
        static Fault of(String line) {
            List<String> parts = List.of(line.split(" \\| ", -1));
            List<String> changes =
                    parts.subList(2, parts.size()).stream()
                            .filter(part -> !part.startsWith("topology "))
                            .toList();
            Assumptions assumptions =
                    parts.stream()
                            .filter(part -> part.startsWith("topology "))
                            .map(part -> SubnetShape.valueOf(part.substring(9)))
                            .map(Samples.KNOWN::withTopology)
                            .findFirst()
                            .orElse(Samples.KNOWN);
            return new Fault(
                    parts.get(0), List.of(parts.get(1).split(" ", -1)), changes, assumptions);
        }

        Report report() throws IOException {
            List<InputFile> inputs = new ArrayList<>(Samples.files(files));
            String text = Samples.text(files.getFirst());
            for (String change : changes) {
                String[] pair = change.split(" => ?", 2);
                text = Samples.changed(text, unescaped(pair[0]), unescaped(pair[1]));
            }
            inputs.set(0, Samples.file(files.getFirst(), text));
            return Lint.check(inputs, assumptions);
        }

        private static String unescaped(String text) {
            return text.replace("\\n", "\n").replace("\\t", "\t");
        }

        @Override
        public String toString() {
            return code + " " + files.getFirst() + " " + changes;
        }
    }

    static List<Fault> faults() throws IOException {
        return Files.readAllLines(TABLE).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(Fault::of)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultIsFoundByItsCodeAlone(Fault fault) throws IOException {
        Report report = fault.report();

        assertThat(Samples.codes(report)).as("%s", report).containsExactly(fault.code);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFindingNamesALineOfAFileThatWasGivenWithEvidenceAndRemedy(Fault fault)
            throws IOException {
        for (Finding finding : fault.report().findings()) {
            assertThat(fault.files).contains(finding.place().file());
            long lines = Samples.text(finding.place().file()).lines().count();
            assertThat(finding.place().line()).isBetween(1, (int) lines + 2);
            assertThat(finding.evidence()).isNotEmpty();
            assertThat(finding.remedy()).endsWith(finding.code() == Code.VL815 ? "?" : ".");
        }
    }

    @Test
    void healthyFilesHaveNoFindingAndLeaveNoQuestion() throws IOException {
        Report report = Lint.check(Samples.files(Samples.all()), Samples.KNOWN);

        assertThat(report.findings()).isEmpty();
        assertThat(report.unjudged()).isEmpty();
    }

    @Test
    void eachHealthyFileAloneHasNoFinding() throws IOException {
        for (String name : Samples.all()) {
            assertThat(Samples.check(name, Samples.text(name)).findings()).as(name).isEmpty();
        }
    }

    @Test
    void everyCodeIsOfAPlantedFault() throws IOException {
        Set<String> planted = new TreeSet<>();
        faults().forEach(fault -> planted.add(fault.code));

        assertThat(planted)
                .isEqualTo(
                        Arrays.stream(Code.values())
                                .map(Code::name)
                                .collect(Collectors.toCollection(TreeSet::new)));
    }
}
