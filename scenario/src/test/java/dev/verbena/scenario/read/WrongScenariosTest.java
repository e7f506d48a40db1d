package dev.verbena.scenario.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Every wrong file in `wrong` gives exactly the lines of `expected.txt`: file, line, column, the
/// wrong thing and the remedy. With `-Ddocs=write` it writes them.
@Tag("rules")
class WrongScenariosTest {
    private static final Path WRONG = Path.of("src/test/resources/wrong");

    @Test
    void everyWrongFileIsRefusedWithPlaceAndRemedy() throws IOException {
        TreeMap<String, List<String>> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(WRONG)) {
            for (Path file : files.filter(it -> it.toString().endsWith(".yaml")).toList()) {
                String name = file.getFileName().toString();
                found.put(name, problems(name, Files.readString(file)));
            }
        }
        assertThat(found).hasSizeGreaterThanOrEqualTo(20);
        assertThat(found.values()).noneMatch(List::isEmpty);
        String all = String.join("\n", found.values().stream().flatMap(List::stream).toList());
        if (System.getProperty("docs", "").equals("write")) {
            Files.writeString(WRONG.resolve("expected.txt"), all + "\n");
        }
        assertThat(all + "\n").isEqualTo(Files.readString(WRONG.resolve("expected.txt")));
    }

    @Test
    void allProblemsOfAFileAreToldAtOnce() throws IOException {
        List<String> all = problems("many.yaml", Files.readString(WRONG.resolve("many.yaml")));
        assertThat(all).hasSizeGreaterThanOrEqualTo(6);
    }

    private static List<String> problems(String name, String text) {
        return ScenarioReader.read(name, text, _ -> List.of()).problems().stream()
                .map(Problem::toString)
                .toList();
    }
}
