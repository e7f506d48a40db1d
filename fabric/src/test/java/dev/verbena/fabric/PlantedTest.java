package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.planted.PlantedBugs;
import dev.verbena.testkit.planted.PlantedModule;
import dev.verbena.testkit.planted.PlantedReport;
import dev.verbena.testkit.planted.PlantedRun;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tries this module's tests against faults that were planted on purpose.
@Tag("planted")
class PlantedTest {
    @Test
    void findsEveryPlantedFault() throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("verbena.root", ".."), "fabric");
        PlantedReport report =
                new PlantedReport(
                        new PlantedRun(PlantedModule.running("fabric"))
                                .run(PlantedBugs.read(home.resolve("src/test/planted/bugs.txt"))));
        System.out.println(report.table());
        assertThat(report.survivors()).isEmpty();
    }
}
