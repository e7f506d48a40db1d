package dev.verbena.job.chakra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The example of the documentation is what [ChakraFile] writes; `-Ddocs=write` writes it anew.
///
/// A step of training on four ranks: two stages of a pipeline, each on two ranks that have the same
/// weights and sum their gradients.
class ChakraExampleTest {
    private static final Path TRACES =
            Path.of(System.getProperty("verbena.root", "..")).resolve("docs/traces");
    private static final long ACTIVATION_BYTES = 1 << 20;
    private static final long GRADIENT_BYTES = 4 << 20;

    private static byte[] rank(int rank) {
        ChakraFile file = new ChakraFile();
        if (rank < 2) {
            file.compute(1, "forward", 200, false)
                    .send(2, ACTIVATION_BYTES, rank, rank + 2, 1, 1)
                    .receive(3, ACTIVATION_BYTES, rank + 2, rank, 2)
                    .compute(4, "backward", 400, false, 3);
        } else {
            file.receive(1, ACTIVATION_BYTES, rank - 2, rank, 1)
                    .compute(2, "forward", 200, false, 1)
                    .compute(3, "backward", 400, false, 2)
                    .send(4, ACTIVATION_BYTES, rank, rank - 2, 2, 3);
        }
        return file.collective(5, 0, GRADIENT_BYTES, rank < 2 ? "first" : "second", 4)
                .compute(6, "optimizer", 50, true, 5)
                .collective(7, 9, 0, "", 6)
                .bytes();
    }

    @Test
    void theExampleIsWhatTheGeneratorWrites() throws IOException {
        for (int rank = 0; rank < 4; rank++) {
            Path file = TRACES.resolve("step." + rank + ".et");
            if (System.getProperty("docs", "").equals("write")) {
                Files.write(file, rank(rank));
            }
            assertThat(Files.readAllBytes(file)).as(file.toString()).isEqualTo(rank(rank));
        }
    }
}
