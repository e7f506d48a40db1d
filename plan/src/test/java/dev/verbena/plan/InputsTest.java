package dev.verbena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Seed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Inputs as files: what is read, and how what is wrong is said.
class InputsTest {
    private static final String GOOD =
            """
            # A cluster.
            gpus: 1024
            rate: 400
            fabric: [ib, roce]
            layout: rails
            oversubscription: 1.5
            spare-nodes: 2
            """;

    private static Inputs read(String text) {
        return Inputs.of(new Settings().putAll("c.yaml", text));
    }

    @Test
    void aFileHasTheKeysOfTheFlags() {
        Inputs inputs = read(GOOD);
        assertThat(inputs.cluster().gpus()).isEqualTo(1024);
        assertThat(inputs.cluster().nodes()).isEqualTo(130);
        assertThat(inputs.networks()).containsExactly(Network.IB, Network.ROCE);
        assertThat(inputs.rule().oversubscription()).isEqualTo(1.5);
    }

    @Test
    void whatIsPutLaterReplacesTheFile() {
        Settings settings = new Settings().putAll("c.yaml", GOOD).put("gpus", "64", "--gpus");
        assertThat(Inputs.of(settings).cluster().gpus()).isEqualTo(64);
    }

    @Test
    void anUnknownKeyIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> read("gpus: 8\ngpu: 9\n"))
                .hasMessageStartingWith("c.yaml:2:6: gpu is not known; use core-metres,")
                .hasMessageContaining(" gpus,");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpus: zero | c.yaml:1:7: gpus: \"zero\"; use a whole number, 1 to 8,388,608",
                "gpus: 0 | c.yaml:1:7: gpus: \"0\"; use a whole number, 1 to 8,388,608",
                "gpus: -5 | c.yaml:1:7: gpus: \"-5\"; use a whole number, 1 to 8,388,608",
                "gpus: 1e9 | c.yaml:1:7: gpus: \"1e9\"; use a whole number, 1 to 8,388,608",
                "gpus: [1, 2] | c.yaml:1:7: gpus: 2 values; use one",
                "gpus: | c.yaml:1:6: gpus is one word or number",
                "gpus: {a: 1} | c.yaml:1:7: gpus is one word or number",
                "[1, 2] | c.yaml:1:1: the file has keys and values, as in \"gpus: 512\"",
                "rate: 400 | how large? give gpus, or nodes; for example --gpus 512",
            })
    void aValueThatIsWrongIsNamedWithItsPlace(String text, String message) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(PlanException.class).hasMessage(message);
    }

    @Test
    void aChoiceThatIsWrongIsRefusedWithTheChoices() {
        assertThatThrownBy(() -> read("gpus: 8\nlayout: ring\n"))
                .hasMessage(
                        "c.yaml:2:9: layout: \"ring\" is not known; use rails, planes or nodes");
        assertThatThrownBy(() -> read("gpus: 8\nneeds: [many-vendors, fame]\n"))
                .hasMessageContaining("\"fame\" is not known; use lowest-latency");
    }

    @Test
    void aKeyThatIsThereTwiceIsRefused() {
        assertThatThrownBy(() -> read("gpus: 8\ngpus: 9\n"))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("twice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# nothing\n",
                "gpus: [",
                "gpus: \"",
                "gpus: *a",
                "gpus: &a 8",
                "\tgpus: 8",
                "gpus: 8\n---\ngpus: 9\n",
                "? ? ? a",
                "%YAML 9.9\n---\ngpus: 8\n",
                "\u0000",
                "gpus: \"\\e[31m8\"",
                "gpus: !!python/object 8\nx: 1\n"
            })
    void whatIsNoSuchYamlEndsInOneLine(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(PlanException.class)
                .message()
                .startsWith("c.yaml")
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- ", "? "})
    void aFileThatIsNestedDeeplyIsRefusedAndEndsNothingElse(String level) {
        assertThatThrownBy(() -> read(level.repeat(100_000)))
                .isInstanceOf(PlanException.class)
                .hasMessageStartingWith("c.yaml");
        assertThatThrownBy(() -> read("gpus: " + "[".repeat(21) + "1" + "]".repeat(21)))
                .hasMessage("c.yaml:1: it is nested deeper than 20 levels; use fewer");
    }

    @Test
    void aFileThatIsTooLargeIsRefused() {
        assertThatThrownBy(() -> read("#" + " ".repeat(Yaml.CHARACTERS_MAX)))
                .hasMessage("c.yaml: it has 1,048,577 characters; use at most 1,048,576");
    }

    @Test
    void damagedFilesEndInAPlanOrInOneLine() {
        SplittableRandom random = Seed.forTest("InputsTest", 7).random();
        for (int i = 0; i < Seed.campaign(3000); i++) {
            StringBuilder text = new StringBuilder(GOOD);
            for (int j = 0; j < 1 + random.nextInt(6); j++) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.setCharAt(at, (char) (32 + random.nextInt(96)));
                    case 1 -> text.delete(at, Math.min(text.length(), at + random.nextInt(9)));
                    default -> text.insert(at, "[{&*!-:?\"'\n".charAt(random.nextInt(11)));
                }
            }
            try {
                Plan.of(read(text.toString()), Catalog.builtIn());
            } catch (PlanException refused) {
                assertThat(refused.getMessage()).as(text.toString()).doesNotContain("\n");
            }
        }
    }

    @Test
    void nodesAndGpusMustAgree() {
        assertThat(read("nodes: 4\n").cluster().gpus()).isEqualTo(32);
        assertThatThrownBy(() -> read("nodes: 4\ngpus: 64\n")).hasMessageContaining("give one");
    }
}
