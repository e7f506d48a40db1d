package dev.verbena.conformance.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlantedChoiceTest {
    private static final PlantedBug READER = bug("reader", "wire/Reader.java");
    private static final PlantedBug WRITER = bug("writer | quick", "Writer.java");
    private static final PlantedBug SLOW = bug("slow", "Clock.java");
    private static final PlantedBug NEW = bug("new", "Clock.java");
    private static final List<PlantedBug> ALL = List.of(READER, WRITER, SLOW, NEW);

    @TempDir Path home;
    private PlantedRecord record = PlantedRecord.none();

    @BeforeEach
    void recordTheLastRun() throws IOException {
        List<PlantedResult> results =
                List.of(
                        new PlantedResult(READER, true, "ReaderTest.readsAll", 1),
                        new PlantedResult(WRITER, true, "WriterTest.Quick.writes", 1),
                        new PlantedResult(SLOW, true, PlantedResult.TIME_LIMIT, 1));
        Path page = home.resolve("page.md");
        new PlantedReport(results).writeMarkdown("A page", page);
        record = PlantedRecord.read(page);
    }

    @Test
    void thePageOfARunIsTheRecordForTheNext() {
        assertThat(record.catcher(READER)).contains("ReaderTest.readsAll");
        assertThat(record.catcher(WRITER)).contains("WriterTest.Quick.writes");
        assertThat(record.catcher(SLOW)).as("a time limit is no test").isEmpty();
        assertThat(record.knows(SLOW)).isTrue();
        assertThat(record.knows(NEW)).isFalse();
    }

    @Test
    void withoutAPageNothingIsKnown() throws IOException {
        assertThat(PlantedRecord.read(home.resolve("none.md")).knows(READER)).isFalse();
    }

    @Test
    void bugsOfChangedFilesComeFirstAndOnce() {
        PlantedChoice.Chosen chosen =
                choice("wire/src/main/java/dev/verbena/wire/Reader.java").of(ALL, record);
        assertThat(chosen.changed()).containsExactly(READER, NEW);
        assertThat(chosen.others()).containsExactly(SLOW);
    }

    @Test
    void aChangedTestBringsTheBugsThatItCaught() {
        assertThat(choice("wire/src/test/WriterTest.java", "README.md").of(ALL, record).changed())
                .containsExactly(NEW, WRITER);
    }

    @Test
    void filesWithALongerNameAreOtherFiles() {
        assertThat(choice("wire/OtherReader.java", "Reader.java").of(ALL, record).changed())
                .containsExactly(NEW);
    }

    @Test
    void onlyChangedFilesMayBeAskedFor() {
        PlantedChoice choice =
                new PlantedChoice(List.of("Writer.java"), Instant.MAX, Optional.empty());
        assertThat(choice.of(ALL, record).others()).isEmpty();
        assertThat(choice.isAll()).isFalse();
    }

    /// Every second bug from the first on, after those of changed files.
    private static PlantedChoice choice(String... changed) {
        return new PlantedChoice(List.of(changed), Instant.MAX, Optional.of(new PlantedTurn(0, 2)));
    }

    private static PlantedBug bug(String name, String file) {
        return new PlantedBug(name, Path.of(file), "a", "b");
    }
}
