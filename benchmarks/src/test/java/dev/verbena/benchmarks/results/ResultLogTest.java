package dev.verbena.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultLogTest {
    private static final String SUBJECT = "WRITE of 1 MiB";

    @Test
    void readsBackWhatItWrote(@TempDir Path directory) throws IOException {
        List<Entry> entries =
                List.of(
                        new Entry.Figure("loopback", SUBJECT, "bare C", 43.25, "Gb/s"),
                        new Entry.Note("loopback", "UCX", "left out: \"ucx\" is\\was missing"));
        ResultLog log = new ResultLog();
        entries.forEach(log::add);
        Path file = directory.resolve("some.jsonl");
        log.write(file);

        assertThat(Files.readAllLines(file).stream().map(Entry::parse)).isEqualTo(entries);
    }

    @Test
    void takesTheMiddleOfTheRuns() {
        ResultLog log = new ResultLog();
        for (double value : new double[] {9, 1, 2}) {
            log.add(new Entry.Figure("here", SUBJECT, "bare C", value, "Gb/s"));
        }
        ResultLog.Summary odd = log.summary("here", SUBJECT, "bare C").orElseThrow();
        log.add(new Entry.Figure("here", SUBJECT, "bare C", 4, "Gb/s"));
        ResultLog.Summary even = log.summary("here", SUBJECT, "bare C").orElseThrow();

        assertThat(odd).isEqualTo(new ResultLog.Summary(2, 1, 9, 3, "Gb/s"));
        assertThat(even.median()).isEqualTo(3);
    }

    @Test
    void putsTwoProgramsBesideEachOtherInTheSamePlaceOnly() {
        ResultLog log = new ResultLog();
        log.add(new Entry.Figure("loopback", SUBJECT, "Verbena", 30, "Gb/s"));
        log.add(new Entry.Figure("veth", SUBJECT, "bare C", 10, "Gb/s"));

        assertThat(log.ratio("loopback", SUBJECT, "Verbena", "bare C")).isEmpty();

        log.add(new Entry.Figure("loopback", SUBJECT, "bare C", 40, "Gb/s"));

        assertThat(log.ratio("loopback", SUBJECT, "Verbena", "bare C").orElseThrow())
                .isCloseTo(0.75, within(1e-9));
    }

    @Test
    void saysWhatIsMissingInWhatAProgramPrinted() {
        assertThatThrownBy(() -> Values.number("{\"gbits\": 3}", "mmsgs"))
                .isInstanceOf(BenchException.class)
                .hasMessage("no mmsgs in: {\"gbits\": 3}");
    }
}
