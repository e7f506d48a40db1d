package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.planted.PlantedProof;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tries tests of this module (those with the tag `sockets`; all would take minutes for each fault)
/// against faults that were planted on purpose.
@Tag("planted")
class PlantedTest {
    @Test
    void findsEveryPlantedFault() throws IOException, InterruptedException {
        PlantedProof proof =
                PlantedProof.of("roce", "bugs.txt", "planted-roce.md", "Faults planted in roce")
                        .only("sockets", "0.2");
        assertThat(proof.survivors()).isEmpty();
    }
}
