package dev.verbena.scenario.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.scenario.Scenario;
import dev.verbena.scenario.ScenarioSchema;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class ExampleTest {
    @Test
    void theExampleHasNoProblem() {
        ScenarioReader.Reading read =
                ScenarioReader.read("example.yaml", ScenarioSchema.example(), _ -> List.of());
        assertThat(read.problems()).isEmpty();
        Scenario scenario = read.scenario();
        assertThat(scenario).isNotNull();
        assertThat(scenario.network().topology().hosts()).isEqualTo(64);
        assertThat(scenario.faults()).hasSize(1);
        assertThat(scenario.checks()).hasSize(4);
    }
}
