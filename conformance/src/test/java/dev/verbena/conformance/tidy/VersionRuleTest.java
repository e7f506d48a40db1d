package dev.verbena.conformance.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VersionRuleTest {
    private static final String ROOT = "<project>\n  <version>0.2.0</version>\n</project>\n";

    @Test
    void acceptsTheVersionOfTheRoot() {
        assertThat(findings("bom/pom.xml", ROOT)).isEmpty();
        assertThat(findings("docs/testing.md", "(\"a:verbena-bom:0.2.0\")\n")).isEmpty();
    }

    @Test
    void findsAnotherVersion() {
        assertThat(findings("bom/pom.xml", ROOT.replace("0.2.0", "0.1.0")))
                .containsExactly("bom/pom.xml:2 version: 0.1.0, and pom.xml has 0.2.0: write that");
        assertThat(
                        findings(
                                "cli/src/main/java/dev/verbena/cli/Main.java",
                                "VERSION = \"verbena 0.1.0\""))
                .hasSize(1);
    }

    @Test
    void findsAPlaceThatLostIt() {
        assertThat(findings("README.md", "# Verbena\n"))
                .containsExactly(
                        "README.md:1 version: names no version: name it, or change this rule");
    }

    private static List<String> findings(String path, String text) {
        SourceTree tree = SourceTree.of(Map.of("pom.xml", ROOT, path, text));
        return new VersionRule().check(tree).stream().map(Finding::toString).toList();
    }
}
