package dev.verbena.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.planted.PlantedProof;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tries this module's tests against faults that were planted on purpose.
@Tag("planted")
class PlantedTest {
    @Test
    void findsEveryPlantedFault() throws IOException, InterruptedException {
        PlantedProof proof =
                PlantedProof.of(
                        "simulation",
                        "bugs.txt",
                        "planted-simulation.md",
                        "Faults planted in simulation");
        assertThat(proof.survivors()).isEmpty();
    }

    @Test
    void findsEveryFaultPlantedInTheOrderOfThreads() throws IOException, InterruptedException {
        PlantedProof proof =
                PlantedProof.of(
                        "simulation",
                        "verbs",
                        "baton.txt",
                        "planted-baton.md",
                        "Faults planted in the order of threads");
        assertThat(proof.survivors()).isEmpty();
    }
}
