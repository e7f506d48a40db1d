package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cli.DemoPackets.Row;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How `verbena demo` prints, without a run.
@Tag("command")
class DemoTextTest {
    @TempDir private Path folder = Path.of("");

    private final StringWriter text = new StringWriter();

    private DemoScreen screen(boolean isColoured, boolean isUnicode) {
        return new DemoScreen(new PrintWriter(text), isColoured, isUnicode, false);
    }

    private static Row request(int number, int psn, boolean isAgain, boolean isLost) {
        return new Row(
                number, number * 1000L, true, "RC WRITE Middle", psn, 1024, isAgain, isLost, "");
    }

    @Test
    void aLongSentenceIsBrokenAtEightyColumns() {
        screen(false, true).say("word ".repeat(60).strip());

        assertThat(text.toString().lines())
                .hasSize(4)
                .allMatch(line -> line.length() <= DemoScreen.WIDTH && line.startsWith("    word"));
    }

    @Test
    void coloursAndSignsAreUsedOnlyWhereTheyAreShown() {
        assertThat(screen(false, false).paint(DemoScreen.Style.BAD, "LOST")).isEqualTo("LOST");
        assertThat(screen(true, false).paint(DemoScreen.Style.BAD, "LOST"))
                .isEqualTo("\u001b[1;31mLOST\u001b[0m");
        assertThat(screen(false, false).glyph("▶", ">")).isEqualTo(">");
        assertThat(screen(false, true).glyph("▶", ">")).isEqualTo("▶");
    }

    @Test
    void packetsAroundALossAreShownAndTheOthersCounted() {
        List<Row> rows = new ArrayList<>();
        for (int i = 1; i <= 40; i++) {
            rows.add(request(i, i, false, i == 20));
        }
        rows.add(new Row(41, 41_000, false, "RC Acknowledge", 20, 0, false, false, "NAK PSN"));
        rows.add(request(42, 20, true, false));

        new DemoPacketText(screen(false, true), rows).print();

        assertThat(text.toString())
                .contains("   20     0.019  ─▶  RC WRITE Middle       0x000014  1024 B  LOST\n")
                .contains("⋮  16 more packets\n")
                .contains("⋮  19 more packets\n")
                .contains("◀─  RC Acknowledge        0x000014  NAK PSN\n")
                .contains("0x000014  1024 B  again\n")
                .doesNotContain("until the timer");
    }

    @Test
    void aPacketLongAfterTheLastIsOfTheTimerOnlyIfItIsSentAgain() {
        List<Row> rows = new ArrayList<>(List.of(request(1, 1, false, false)));
        rows.add(new Row(2, 90_000_000, true, "RC WRITE Last", 2, 8, false, false, ""));
        rows.add(new Row(3, 160_000_000, true, "RC WRITE Last", 2, 8, true, false, ""));

        new DemoPacketText(screen(false, true), rows).print();

        assertThat(text.toString()).containsOnlyOnce("until the timer").contains("70.0 ms without");
    }

    @Test
    void capturesAreDeletedAtTheEndUnlessTheyAreKept() throws IOException {
        Path gone;
        try (DemoFiles files = new DemoFiles(null)) {
            gone = Files.createFile(files.roce());
            assertThat(files.isKept()).isFalse();
        }
        Path kept = folder.resolve("new");
        try (DemoFiles files = new DemoFiles(kept)) {
            Files.createFile(files.fabric());
        }

        assertThat(gone).doesNotExist();
        assertThat(gone.getParent()).doesNotExist();
        assertThat(kept.resolve("fabric.pcapng")).exists();
    }

    @Test
    void aPictureOfTheFabricIsShadedByTheMostDrops() {
        new FabricDrawing(
                        screen(false, false),
                        node -> node.equals("leaf 5") ? 100 : node.equals("core 2") ? 25 : 0,
                        host -> host == 127 ? "x" : "*")
                .print();

        List<String> lines = text.toString().lines().toList();
        assertThat(lines.get(0)).startsWith(" cores   .   .    -   .");
        assertThat(lines.get(4)).startsWith(" leaves . . . .  . @ . .");
        assertThat(lines.get(9)).endsWith("* * * x");
        assertThat(lines).anyMatch(line -> line.contains("- up to 25") && line.endsWith("100"));
    }
}
