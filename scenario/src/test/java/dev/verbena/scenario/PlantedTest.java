package dev.verbena.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.planted.PlantedProof;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tries tests of this module (those with the tag `rules`, which take seconds) against faults that
/// were planted on purpose.
@Tag("planted")
class PlantedTest {
    @Test
    void findsEveryPlantedFault() throws IOException, InterruptedException {
        PlantedProof proof =
                PlantedProof.of(
                                "scenario",
                                "bugs.txt",
                                "planted-scenario.md",
                                "Faults planted in scenario")
                        .only("rules", "0.2");
        assertThat(proof.survivors()).isEmpty();
    }
}
