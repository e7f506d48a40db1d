package dev.verbena.fabric;

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
                        "fabric", "bugs.txt", "planted-fabric.md", "Faults planted in fabric");
        assertThat(proof.survivors()).isEmpty();
    }

    /// Of the agents, whose tests have a tag of their own.
    @Test
    void findsEveryFaultPlantedInAgents() throws IOException, InterruptedException {
        PlantedProof proof =
                PlantedProof.of(
                                "fabric",
                                "subnet.txt",
                                "planted-subnet.md",
                                "Faults planted in subnet agents")
                        .only("subnet", "1");
        assertThat(proof.survivors()).isEmpty();
    }
}
