package dev.verbena.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.scenario.Scenario;
import dev.verbena.scenario.read.ScenarioReader;
import java.util.List;
import java.util.Objects;

/// Reads and runs scenarios of tests.
public final class Runs {
    private Runs() {}

    /// A scenario of a text without mistakes.
    public static Scenario scenario(String text) {
        ScenarioReader.Reading read = ScenarioReader.read("test.yaml", text, _ -> List.of());
        assertThat(read.problems()).isEmpty();
        return Objects.requireNonNull(read.scenario());
    }

    /// The result of a text.
    public static Result of(String text) {
        return ScenarioRun.of(scenario(text), Watcher.NONE);
    }

    /// An incast of four on one switch, with lines added to it.
    public static String incast(String title, String more) {
        return """
        scenario: %s
        topology: {switch: {hosts: 5}}
        workloads:
          - {name: incast, incast: {senders: 4, size: 256K}}
        %s
        """
                .formatted(title, more);
    }
}
