package dev.verbena.conformance.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IndexRuleTest {
    private static final String INDEX =
            """
            # Pages

            ## Start

            | page | what it has |
            |---|---|
            | [a](a.md) | first |

            ## Evidence

            | [b](b.md) | last |
            """;

    @Test
    void aPageThatIsMissingFromTheIndexIsFound() {
        assertThat(
                        findings(
                                SourceTree.of(
                                        Map.of(
                                                "docs/README.md", INDEX,
                                                "docs/a.md", "A\n",
                                                "docs/b.md", "B\n",
                                                "docs/c.md", "C\n",
                                                "docs/decisions/0001-d.md", "D\n"))))
                .containsExactly(
                        "docs/c.md:1 index: not in docs/README.md: add a row to one of its"
                                + " shelves, Start, How-to, Reference, Evidence");
    }

    @Test
    void aRowOutsideOfTheShelvesDoesNotCount() {
        String answers = INDEX.replace("## Start", "## Quick answers");
        assertThat(
                        findings(
                                SourceTree.of(
                                        Map.of(
                                                "docs/README.md", answers,
                                                "docs/a.md", "A\n",
                                                "docs/b.md", "B\n"))))
                .singleElement()
                .asString()
                .startsWith("docs/a.md:1 index: ");
    }

    @Test
    void aPageOnTwoShelvesIsFound() {
        String twice = INDEX + "| [a again](a.md) | twice |\n";
        assertThat(
                        findings(
                                SourceTree.of(
                                        Map.of(
                                                "docs/README.md", twice,
                                                "docs/a.md", "A\n",
                                                "docs/b.md", "B\n"))))
                .containsExactly(
                        "docs/README.md:12 index: docs/a.md is already in line 7: keep one row");
    }

    private static List<String> findings(SourceTree tree) {
        return new IndexRule().check(tree).stream().map(Finding::toString).toList();
    }
}
