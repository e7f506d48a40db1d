package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.planted.PlantedProof;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tries the attacks, and no other test, against holes that were planted in the protection.
@Tag("planted")
class PlantedHolesTest {
    /// Some twenty thousand packets: each attack a few dozen times.
    private static final String CAMPAIGN = "0.01";

    @Test
    void findsEveryPlantedHole() throws IOException, InterruptedException {
        PlantedProof proof =
                PlantedProof.of(
                                "transport",
                                "holes.txt",
                                "planted-holes.md",
                                "Holes planted in the transport's protection")
                        .only("attack", CAMPAIGN);
        assertThat(proof.survivors()).isEmpty();
    }
}
