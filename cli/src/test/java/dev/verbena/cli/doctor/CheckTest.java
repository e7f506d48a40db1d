package dev.verbena.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lint.Severity;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CheckTest {
    /// A line of the table of troubles.
    record Trouble(Set<String> codes, String host, List<String> changes) {
        static Trouble of(String line) {
            List<String> parts = List.of(line.split(" \\| ", -1));
            return new Trouble(
                    Set.of(parts.get(0).split(" ", -1)),
                    parts.get(1),
                    parts.subList(2, parts.size()));
        }

        boolean isNone() {
            return codes.contains("none");
        }
    }

    static List<Trouble> troubles() throws IOException {
        return Records.text("troubles")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(Trouble::of)
                .toList();
    }

    static List<String> healthy() {
        return Records.HEALTHY;
    }

    @ParameterizedTest
    @MethodSource("troubles")
    void aTroubleAddsExactlyItsCode(Trouble trouble) throws IOException {
        String healthy = Records.text(trouble.host);
        String ill = healthy;
        for (String change : trouble.changes) {
            ill = Records.changed(ill, change);
        }
        Set<String> added = new HashSet<>(Records.codes(ill));
        added.removeAll(Records.codes(healthy));
        assertThat(added).isEqualTo(trouble.isNone() ? Set.of() : trouble.codes);
    }

    @ParameterizedTest
    @MethodSource("healthy")
    void aHealthyHostHasNotesOnly(String host) throws IOException {
        assertThat(Records.findings(Records.text(host)))
                .isNotEmpty()
                .allMatch(finding -> finding.severity() == Severity.NOTE);
    }

    @Test
    void everyCodeIsOfATroubleOrAHealthyHost() throws IOException {
        Set<String> seen = new HashSet<>();
        troubles().stream().filter(it -> !it.isNone()).forEach(it -> seen.addAll(it.codes));
        for (String host : Records.HEALTHY) {
            seen.addAll(Records.codes(Records.text(host)));
        }
        assertThat(seen)
                .isEqualTo(
                        Arrays.stream(Code.values()).map(Code::name).collect(Collectors.toSet()));
    }

    @Test
    void portThatIsDownIsFoundWithItsNameAndTheFileThatSaysSo() throws IOException {
        String state = "/sys/class/infiniband/mlx5_1/ports/1/state";
        String ill = Records.changed(Records.text("mlx5"), state + ":1: DOWN");
        Finding finding = Records.findings(ill).getFirst();
        assertThat(finding.problem()).isEqualTo("mlx5_1/1 is DOWN");
        assertThat(finding.evidence()).contains(state + ": 1: DOWN");
    }

    @Test
    void theIndexOfTheIpv4AddressAsRoce2IsNamed() throws IOException {
        assertThat(Records.findings(Records.text("mlx5")))
                .extracting(Finding::problem)
                .contains(
                        "on mlx5_0/1 use GID index 3: 192.0.2.10 as RoCE v2",
                        "on mlx5_2/1 use GID index 0: 2001:db8::a as RoCE v2");
    }

    @Test
    void whoMayLockMemoryAnywayIsNotToldOfTheLimit() throws IOException {
        String limit = "/proc/self/limits:Max locked memory 65536 65536 bytes";
        assertThat(Records.codes(Records.changed(Records.text("rxe"), limit)))
                .doesNotContain("VD601", "VD602");
    }

    @Test
    void nothingAHostHoldsMakesACheckFail() throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            char[] text = Records.text(Records.HEALTHY.get(i % 2)).toCharArray();
            for (int j = 0; j < 20; j++) {
                text[random.nextInt(text.length)] = " :/09afzN\n".charAt(random.nextInt(10));
            }
            assertThat(Records.findings(new String(text))).isNotNull();
        }
    }
}
