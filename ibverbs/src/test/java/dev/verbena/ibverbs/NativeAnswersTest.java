package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The driver in this process answers as the kernel does, but for the rows that say why not.
class NativeAnswersTest {
    @Test
    void theDriverAnswersAsTheKernelDoes() throws IOException {
        InProcessWorld world = new InProcessWorld(true);
        Map<String, Integer> answers =
                NativeAnswers.of(world.stack(), InProcessWorld.NAMES.getFirst());
        world.close();

        assertThat(answers).isEqualTo(RecordedAnswers.read().ofTheDriver());
    }
}
