package dev.verbena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Published designs come out of the rule that was published with them; `docs/planning.md` shows
/// the table. `-Ddocs=write` writes it anew.
class AnchorTest {
    private static final Path PAGE =
            Path.of(System.getProperty("verbena.root", ".."), "docs/planning.md");
    private static final String BEGIN = "<!-- Written by AnchorTest with -Ddocs=write. -->\n";
    private static final String END = "<!-- End of what AnchorTest writes. -->\n";
    private static final String HEAD =
            """
            | design | source | rule given | published | planned | |
            |---|---|---|---|---|---|
            """;

    static Stream<Anchor> all() {
        return Stream.concat(Anchor.COUNTS.stream(), Anchor.CLUSTERS.stream());
    }

    @ParameterizedTest
    @MethodSource("all")
    void aPublishedDesignComesOutOfItsRule(Anchor anchor) {
        if (anchor.differs()) {
            assertThat(anchor.result()).isNotEqualTo(anchor.published());
        } else {
            assertThat(anchor.result()).isEqualTo(anchor.published());
        }
    }

    @Test
    void thePageShowsEveryDesignWithItsRule() throws IOException {
        String tables = BEGIN + table(Anchor.COUNTS) + "\n" + table(Anchor.CLUSTERS) + END;
        String page = Files.readString(PAGE);
        assertThat(page).contains(BEGIN).contains(END);
        String before = page.substring(0, page.indexOf(BEGIN));
        String after = page.substring(page.indexOf(END) + END.length());
        if (System.getProperty("docs", "").equals("write")) {
            Files.writeString(PAGE, before + tables + after);
        }
        assertThat(PAGE)
                .as("stale page: write it anew with -Dtest=AnchorTest -Ddocs=write")
                .hasContent(before + tables + after);
    }

    private static String table(List<Anchor> anchors) {
        StringBuilder table = new StringBuilder(HEAD);
        anchors.forEach(anchor -> table.append(anchor.row()));
        return table.toString();
    }
}
