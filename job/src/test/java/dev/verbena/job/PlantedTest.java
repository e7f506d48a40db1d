package dev.verbena.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.planted.PlantedProof;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tries this module's tests against faults that were planted on purpose.
@Tag("planted")
class PlantedTest {
    @Test
    void findsEveryPlantedFault() throws IOException, InterruptedException {
        PlantedProof proof =
                PlantedProof.of("job", "bugs.txt", "planted-job.md", "Faults planted in job");
        assertThat(proof.survivors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"collectives", "fabric"})
    void findsEveryFaultOfReductionsInTheNetwork(String module)
            throws IOException, InterruptedException {
        PlantedProof proof =
                PlantedProof.of(
                                "job",
                                module,
                                "in-network.txt",
                                "planted-in-network-" + module + ".md",
                                "Faults planted in reductions in the network: " + module)
                        .only("in-network", "1");
        assertThat(proof.survivors()).isEmpty();
    }
}
