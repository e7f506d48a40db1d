package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.planted.PlantedProof;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tries this module's tests against mistakes that were planted on purpose.
@Tag("planted")
class PlantedTest {
    @Test
    void findsEveryPlantedFault() throws IOException, InterruptedException {
        hold("subnet.txt", "planted-subnet-manager.md", "Faults planted in the subnet manager");
    }

    @Test
    void findsEveryPlantedFaultOfAdministration() throws IOException, InterruptedException {
        hold(
                "administration.txt",
                "planted-subnet-administration.md",
                "Faults planted in subnet administration");
    }

    private static void hold(String list, String page, String title)
            throws IOException, InterruptedException {
        assertThat(PlantedProof.of("subnet", list, page, title).survivors()).isEmpty();
    }
}
