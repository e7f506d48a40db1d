package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.planted.PlantedProof;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tries tests of this module (those with the tag `inprocess`; the whole suite would take minutes
/// for each bug) against bugs that were planted on purpose.
@Tag("planted")
class PlantedTest {
    @Test
    void findsEveryPlantedBug() throws IOException, InterruptedException {
        PlantedProof proof =
                PlantedProof.of(
                                "ibverbs",
                                "bugs.txt",
                                "planted-ibverbs.md",
                                "Bugs planted in ibverbs")
                        .only("inprocess", "0.2");
        assertThat(proof.survivors()).isEmpty();
    }
}
