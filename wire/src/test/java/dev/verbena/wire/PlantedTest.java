package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.planted.PlantedBugs;
import dev.verbena.testkit.planted.PlantedModule;
import dev.verbena.testkit.planted.PlantedReport;
import dev.verbena.testkit.planted.PlantedRun;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tries this module's tests against bugs that were planted on purpose.
@Tag("planted")
class PlantedTest {
    @Test
    void catchesEveryPlantedBug() throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("verbena.root", ".."), "wire");
        PlantedReport report =
                new PlantedReport(
                        new PlantedRun(PlantedModule.running("wire"))
                                .run(PlantedBugs.read(home.resolve("src/test/planted/bugs.txt"))));
        System.out.println(report.table());
        report.writeMarkdown("Bugs planted in wire", home.resolve("target/planted-bugs.md"));
        assertThat(report.survivors()).isEmpty();
    }
}
