package dev.verbena.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that are cut off, huge, deep, binary or of the wrong types end in findings or in one line.
class HostileFilesTest {
    private static final long SEED = Long.getLong("seed", 7);
    private static final double CAMPAIGN = Double.parseDouble(System.getProperty("campaign", "1"));
    private static final List<String> WRONG =
            List.of(
                    "null",
                    "true",
                    "-1",
                    "1e400",
                    "99999999999999999999",
                    "\"\"",
                    "\"-5\"",
                    "\"0x\"",
                    "\"NaN\"",
                    "\"9999999999999999\"",
                    "[]",
                    "[[1],{}]",
                    "{}",
                    "{\"a\":{\"b\":{}}}",
                    "\"3-99999999\"",
                    "\"5-3\"",
                    "\"\\u0000\\u001b[31m\"");

    static List<String> names() {
        return Samples.all();
    }

    /// A report, or one line that begins with the file's name.
    private static void isAnswered(List<InputFile> files) {
        try {
            Report report = Lint.check(files, Samples.KNOWN);
            for (Finding finding : report.findings()) {
                assertPlain(finding.problem());
                finding.evidence().forEach(HostileFilesTest::assertPlain);
            }
        } catch (LintException refused) {
            assertThat(refused.getMessage()).startsWith(files.getFirst().name());
            assertPlain(String.valueOf(refused.getMessage()));
        }
    }

    private static void assertPlain(String text) {
        assertThat(text.chars().noneMatch(Character::isISOControl)).as(text).isTrue();
        assertThat(text).hasSizeLessThanOrEqualTo(400);
    }

    private static InputFile file(String name, byte[] bytes, Kind kind) {
        return new InputFile(name, Optional.ofNullable(kind), Optional.empty(), bytes);
    }

    @ParameterizedTest
    @MethodSource("names")
    void aFileThatIsCutOffAtAnyByteIsAnswered(String name) throws IOException {
        byte[] whole = Samples.text(name).getBytes(StandardCharsets.UTF_8);
        Kind kind = Kind.recognise(Text.of(InputFile.of(name, whole)));
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            isAnswered(List.of(InputFile.of(name, cut)));
            isAnswered(List.of(file(name, cut, kind)));
        }
    }

    @Test
    @Tag("rules")
    void aCutOffJsonNamesTheLine() {
        assertThatThrownBy(() -> Samples.check("leaf.json", "{\n \"PORT\": {\n"))
                .isInstanceOf(LintException.class)
                .hasMessageStartingWith("leaf.json:3: not valid JSON: ");
    }

    @ParameterizedTest
    @MethodSource("names")
    void aFileTakenForAnyOtherKindIsAnswered(String name) throws IOException {
        byte[] bytes = Samples.text(name).getBytes(StandardCharsets.UTF_8);
        for (Kind kind : Kind.values()) {
            isAnswered(List.of(file(name, bytes, kind)));
        }
    }

    @Test
    void aWrongTypeAtAnyPlaceOfAConfigurationIsAnswered() throws IOException {
        System.out.println("HostileFilesTest: seed " + SEED + ", repeat with -Dseed=" + SEED);
        Random random = new Random(SEED);
        String whole = Samples.text("leaf1.json");
        List<MatchResult> values =
                Pattern.compile("(?<=: )(\"[^\"]*\"|\\{)").matcher(whole).results().toList();
        for (MatchResult value : values) {
            for (String wrong : WRONG) {
                int end = value.group().equals("{") ? closing(whole, value.start()) : value.end();
                isAnswered(
                        List.of(
                                Samples.file(
                                        "leaf1.json",
                                        whole.substring(0, value.start())
                                                + wrong
                                                + whole.substring(end))));
            }
        }
        for (int i = 0; i < 200 * CAMPAIGN; i++) {
            String changed = whole;
            for (int j = 0; j < 4; j++) {
                List<MatchResult> keys =
                        Pattern.compile("\"([^\"]*)\"").matcher(changed).results().toList();
                MatchResult key = keys.get(random.nextInt(keys.size()));
                String other = keys.get(random.nextInt(keys.size())).group();
                changed = changed.substring(0, key.start()) + other + changed.substring(key.end());
            }
            isAnswered(List.of(Samples.file("leaf1.json", changed)));
        }
    }

    private static int closing(String text, int open) {
        int depth = 0;
        for (int i = open; i < text.length(); i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
            if (depth == 0) {
                return i + 1;
            }
        }
        throw new IllegalArgumentException("no end of the object at " + open);
    }

    @Test
    void randomlyChangedBytesOfAnyFileAreAnswered() throws IOException {
        System.out.println("HostileFilesTest: seed " + SEED + ", repeat with -Dseed=" + SEED);
        Random random = new Random(SEED);
        for (int i = 0; i < 600 * CAMPAIGN; i++) {
            List<InputFile> files = new ArrayList<>();
            for (String name : Samples.all()) {
                byte[] bytes = Samples.text(name).getBytes(StandardCharsets.UTF_8);
                Kind kind = Kind.recognise(Text.of(InputFile.of(name, bytes)));
                for (int j = 0; j < 1 + random.nextInt(8); j++) {
                    bytes[random.nextInt(bytes.length)] =
                            (byte) "{}\":,;=| -09aZ\n\t#".charAt(random.nextInt(17));
                }
                files.add(file(name, bytes, kind));
            }
            InputFile one = files.get(random.nextInt(files.size()));
            isAnswered(List.of(one));
            try {
                Lint.check(files, Samples.KNOWN);
            } catch (LintException refused) {
                assertPlain(String.valueOf(refused.getMessage()));
            }
        }
    }

    @Test
    @Tag("rules")
    void bytesThatAreNoTextAreRefusedInOneLine() {
        byte[] binary = new byte[4096];
        new Random(SEED).nextBytes(binary);

        assertThatThrownBy(() -> Lint.check(List.of(InputFile.of("x", binary)), Samples.KNOWN))
                .isInstanceOf(LintException.class)
                .hasMessage("x is not text in UTF-8");
        assertThatThrownBy(() -> Samples.check("x", "{\0}"))
                .isInstanceOf(LintException.class)
                .hasMessageContaining("bytes of value 0");
        assertThatThrownBy(() -> Samples.check("x", " \n"))
                .isInstanceOf(LintException.class)
                .hasMessage("x is empty");
        assertThatThrownBy(() -> Samples.check("x", "hello"))
                .isInstanceOf(LintException.class)
                .hasMessageContaining("write KIND:FILE with one of config_db, mlnx_qos");
    }

    @Test
    @Tag("rules")
    void jsonThatIsDeepOrHasManyValuesIsRefusedInOneLine() {
        assertThatThrownBy(() -> Samples.check("x", "{\"a\":".repeat(1_000_000)))
                .isInstanceOf(LintException.class)
                .hasMessage("x: not valid JSON: it is deeper than 32 levels");
        assertThatThrownBy(() -> Samples.check("x", "{\"a\":[" + "0,".repeat(2_000_000) + "0]}"))
                .isInstanceOf(LintException.class)
                .hasMessage("x has more than 500,000 values");
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "\t", "-", "a", "0", ":", ";", "=", ",", "#", "\"", "{", "\n"})
    void aFileOfOneCharacterRepeatedIsAnsweredAsEveryKind(String character) {
        byte[] bytes = character.repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
        isAnswered(List.of(InputFile.of("x", bytes)));
        for (Kind kind : Kind.values()) {
            isAnswered(List.of(file("x", bytes, kind)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ;\n",
                "a:\n",
                "a:b\n",
                "a=1:b;\n",
                "tc: 0 ratelimit: 1\n",
                "prio:1 dscp:1,\n"
            })
    void aFileOfOneLineRepeatedIsAnsweredAsEveryKind(String line) {
        byte[] bytes = line.repeat(150_000).getBytes(StandardCharsets.UTF_8);
        for (Kind kind : Kind.values()) {
            isAnswered(List.of(file("x", bytes, kind)));
        }
    }

    @Test
    @Tag("rules")
    void aFileAboveTheLimitIsRefusedWithItsLimit() {
        byte[] large = new byte[InputFile.BYTES_MAX + 1];
        Arrays.fill(large, (byte) ' ');

        assertThatThrownBy(() -> Lint.check(List.of(InputFile.of("x", large)), Samples.KNOWN))
                .isInstanceOf(LintException.class)
                .hasMessage("x has 16,777,217 bytes: the limit is 16,777,216");
    }

    @Test
    @Tag("rules")
    void manyFindingsAreCountedAndNotKept() {
        StringBuilder rules = new StringBuilder("Default=0x7fff : ALL=full ;\n");
        for (int i = 1; i <= 3_000; i++) {
            rules.append("p%d=%d : 0x1 ;%n".formatted(i, i));
        }
        Report report =
                Lint.check(
                        List.of(Samples.file("partitions.conf", rules.toString())), Samples.KNOWN);

        assertThat(report.findings()).hasSize(1_000);
        assertThat(report.leftOut()).isEqualTo(2_000);
    }
}
