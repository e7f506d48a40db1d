package dev.verbena.scenario.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.scenario.ScenarioSchema;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Files with letters changed at random give a scenario or problems, and nothing else.
@Tag("rules")
class HostileScenariosTest {
    private static final String LETTERS = "0123456789-:{}[]\"'#\n \tKMGabz%&*!|>@\u0000\u2028";
    private static final long SEED = Long.getLong("seed", 7);

    @Test
    void aChangedFileNeverEndsInAnException() {
        System.out.println("HostileScenariosTest: seed " + SEED + ", repeat with -Dseed=" + SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        String whole = ScenarioSchema.example().replaceAll("(?m)^ *#.*\n", "");
        int refused = 0;
        for (int i = 0; i < 400; i++) {
            StringBuilder text = new StringBuilder(whole);
            for (int change = random.nextInt(4); change >= 0; change--) {
                int at = random.nextInt(text.length());
                char letter = LETTERS.charAt(random.nextInt(LETTERS.length()));
                switch (random.nextInt(3)) {
                    case 0 -> text.setCharAt(at, letter);
                    case 1 -> text.insert(at, letter);
                    default -> text.delete(at, Math.min(text.length(), at + random.nextInt(9)));
                }
            }
            ScenarioReader.Reading read =
                    ScenarioReader.read("changed.yaml", text.toString(), _ -> List.of());
            assertThat(read.scenario() == null).isEqualTo(!read.problems().isEmpty());
            refused += read.problems().isEmpty() ? 0 : 1;
        }
        assertThat(refused).isBetween(100, 399);
    }

    @Test
    void aFileCutOffAnywhereGivesAScenarioOrProblems() {
        String whole = ScenarioSchema.example().replaceAll("(?m)^ *#.*\n", "");
        for (int end = 0; end < whole.length(); end++) {
            ScenarioReader.Reading read =
                    ScenarioReader.read("cut.yaml", whole.substring(0, end), _ -> List.of());
            assertThat(read.scenario() == null).isEqualTo(!read.problems().isEmpty());
        }
    }

    @Test
    void manySmallWorkloadsHaveOneLimitTogether() {
        StringBuilder text = new StringBuilder("scenario: many\n");
        text.append("topology: {switch: {hosts: 1000}}\nworkloads:\n");
        for (int i = 0; i < 50; i++) {
            text.append("  - {name: w%d, all_to_all: {size: 1}}\n".formatted(i));
        }
        List<Problem> problems =
                ScenarioReader.read("many.yaml", text.toString(), _ -> List.of()).problems();
        assertThat(problems)
                .singleElement()
                .extracting(Problem::toString)
                .asString()
                .isEqualTo(
                        "many.yaml:5:16: workloads[1].all_to_all: with this one all workloads have"
                                + " 1,998,000 flows; use at most 1,048,576 in all");
    }
}
