package dev.verbena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.planted.PlantedProof;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tries this module's tests against bugs that were planted on purpose.
@Tag("planted")
class PlantedTest {
    @Test
    void findsEveryPlantedBug() throws IOException, InterruptedException {
        PlantedProof proof =
                PlantedProof.of("plan", "bugs.txt", "planted-plan.md", "Bugs planted in plan");
        assertThat(proof.survivors()).isEmpty();
    }
}
