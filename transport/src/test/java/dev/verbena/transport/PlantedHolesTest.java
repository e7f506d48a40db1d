package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.planted.PlantedBugs;
import dev.verbena.testkit.planted.PlantedModule;
import dev.verbena.testkit.planted.PlantedReport;
import dev.verbena.testkit.planted.PlantedRun;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tries the attacks, and no other test, against holes that were planted in the protection.
@Tag("planted")
class PlantedHolesTest {
    /// Some twenty thousand packets: each attack a few dozen times.
    private static final String CAMPAIGN = "0.01";

    @Test
    void findsEveryPlantedHole() throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("verbena.root", ".."), "transport");
        PlantedModule module = PlantedModule.running("transport").only("attack", CAMPAIGN);
        PlantedReport report =
                new PlantedReport(
                        new PlantedRun(module)
                                .run(PlantedBugs.read(home.resolve("src/test/planted/holes.txt"))));
        System.out.println(report.table());
        report.writeMarkdown(
                "Holes planted in the transport's protection",
                home.resolve("target/planted-holes.md"));
        assertThat(report.survivors()).isEmpty();
    }
}
