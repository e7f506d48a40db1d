package dev.verbena.job.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.verbena.testkit.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Operations take as long as flows as they take packet by packet; docs/flow-level.md has the
/// times. `-Ddocs=write` tries all cases and writes the table; `-Dcampaign=5` tries all of them.
class FlowLevelTest {
    private static final Path PAGE =
            Path.of(System.getProperty("verbena.root", ".."), "docs/flow-level.md");

    private static final String HEAD =
            """
            | kind | fabric | ranks | operation | bytes | seed | packets us | flows us | error |
            |---|---|---:|---|---:|---:|---:|---:|---:|
            """;

    private static final String BEGIN = "<!-- FlowLevelTest writes from here -->\n";
    private static final String END = "<!-- to here -->\n";

    private static boolean writes() {
        return System.getProperty("docs", "").equals("write");
    }

    static List<LevelCase> cases() {
        boolean isAll = Seed.campaign(1) > 1;
        return LevelCase.all().stream().filter(it -> isAll || it.isUsual()).toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void flowsTakeAsLongAsPackets(LevelCase one) throws IOException {
        assumeFalse(writes(), "the other test tries all cases and writes them");
        BothLevels.Times times = one.times();
        assertThat(Math.abs(times.error())).as(one.row(times)).isLessThan(one.tolerance());
        assertThat(Files.readString(PAGE))
                .as("stale page: write it anew with -Ddocs=write -Dtest=FlowLevelTest")
                .contains(one.row(times) + "\n");
    }

    @Test
    void thePageHasEveryCase() throws IOException {
        if (writes()) {
            write();
        }
        String page = Files.readString(PAGE);
        List<String> missing = new ArrayList<>();
        for (LevelCase one : cases()) {
            if (!page.contains("\n" + one.head())) {
                missing.add(one.head());
            }
        }
        assertThat(missing).isEmpty();
    }

    private static void write() throws IOException {
        StringBuilder table = new StringBuilder(HEAD);
        List<String> wrong = new ArrayList<>();
        for (LevelCase one : LevelCase.all()) {
            BothLevels.Times times = one.times();
            table.append(one.row(times)).append('\n');
            if (Math.abs(times.error()) >= one.tolerance()) {
                wrong.add(one.row(times));
            }
        }
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        String rest = page.substring(page.indexOf(END));
        Files.writeString(PAGE, page.substring(0, begin) + "\n" + table + "\n" + rest);
        assertThat(wrong).isEmpty();
    }
}
