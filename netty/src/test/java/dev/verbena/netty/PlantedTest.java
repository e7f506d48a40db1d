package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.planted.PlantedProof;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tries this module's tests against mistakes that were planted on purpose.
@Tag("planted")
class PlantedTest {
    @Test
    void findsEveryPlantedBug() throws IOException, InterruptedException {
        PlantedProof proof =
                PlantedProof.of("netty", "netty.txt", "planted-netty.md", "Bugs planted in netty");
        assertThat(proof.survivors()).isEmpty();
    }
}
