package dev.verbena.manager;

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
        PlantedProof proof =
                PlantedProof.of(
                        "manager",
                        "manager.txt",
                        "planted-managers.md",
                        "Faults planted in managers that share a state");
        assertThat(proof.survivors()).isEmpty();
    }
}
