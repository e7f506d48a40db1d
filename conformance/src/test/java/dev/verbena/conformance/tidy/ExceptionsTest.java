package dev.verbena.conformance.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExceptionsTest {
    private static final String A = "cli/src/test/java/ATest.java";
    private static final String SLEEPS = "class ATest {\n void m() {\n  Thread.sleep(1);\n }\n}\n";

    @Test
    void coversAFileOrOneMethodOfIt() {
        assertThat(found("# Why not.\n\nsans-io " + A + "  there is no event to await\n"))
                .isEmpty();
        assertThat(found("sans-io " + A + "#m  there is no event to await\n")).isEmpty();
    }

    @Test
    void reportsAnExceptionThatCoversNothing() {
        assertThat(found("sans-io " + A + "#m  needed\nsans-io " + A + "#n  was needed\n"))
                .containsExactly(
                        Exceptions.PATH
                                + ":2 stale-exception: sans-io finds nothing at "
                                + A
                                + "#n: remove the line");
        assertThat(found("leftover " + A + "  another rule\n")).hasSize(2);
    }

    @Test
    void refusesAnExceptionWithoutAReason() {
        assertThat(found("sans-io " + A + "\n"))
                .hasSize(2)
                .last()
                .isEqualTo(
                        Exceptions.PATH
                                + ":1 unexplained-exception: write: rule path-or-path#method"
                                + "  reason");
    }

    private static List<String> found(String exceptions) {
        Map<String, String> texts = Map.of(A, SLEEPS, Exceptions.PATH, exceptions);
        return Tidy.check(SourceTree.of(texts)).stream().map(Finding::toString).toList();
    }
}
