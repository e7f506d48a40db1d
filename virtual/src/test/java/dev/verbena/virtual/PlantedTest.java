package dev.verbena.virtual;

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
                        "virtual", "bugs.txt", "planted-virtual.md", "Faults planted in virtual");
        assertThat(proof.survivors()).isEmpty();
    }

    @Test
    void findsEveryFaultPlantedInTheThreadsOfTests() throws IOException, InterruptedException {
        PlantedProof proof =
                PlantedProof.of(
                        "virtual",
                        "testkit",
                        "threads.txt",
                        "planted-threads.md",
                        "Faults planted in the threads of tests");
        assertThat(proof.survivors()).isEmpty();
    }
}
