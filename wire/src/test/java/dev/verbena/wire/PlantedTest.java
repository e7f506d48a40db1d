package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.planted.PlantedProof;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tries this module's tests against bugs that were planted on purpose.
@Tag("planted")
class PlantedTest {
    @Test
    void catchesEveryPlantedBug() throws IOException, InterruptedException {
        PlantedProof proof =
                PlantedProof.of("wire", "bugs.txt", "planted-bugs.md", "Bugs planted in wire");
        assertThat(proof.survivors()).isEmpty();
    }
}
