package dev.verbena.conformance.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The plans of all modules against their sources, in a second: planting takes minutes, and by
/// night.
class PlantedPlansTest {
    private static final Path ROOT = Path.of(System.getProperty("verbena.root", ".."));

    @Test
    void everyBugOfEveryPlanFitsTheSources() throws IOException {
        List<Path> plans = plans();
        assertThat(plans).isNotEmpty();
        for (Path plan : plans) {
            Path sources = ROOT.resolve(ROOT.relativize(plan).getName(0)).resolve("src/main/java");
            for (PlantedBug bug : PlantedBugs.read(plan)) {
                bug.requireFit(sources);
            }
        }
    }

    private static List<Path> plans() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.map(module -> module.resolve("src/test/planted"))
                    .filter(Files::isDirectory)
                    .flatMap(PlantedPlansTest::files)
                    .toList();
        }
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList().stream();
        } catch (IOException unreadable) {
            throw new IllegalStateException("cannot list " + folder, unreadable);
        }
    }
}
