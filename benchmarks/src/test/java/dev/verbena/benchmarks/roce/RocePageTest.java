package dev.verbena.benchmarks.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Entry;
import dev.verbena.benchmarks.results.ResultLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RocePageTest {
    private static final Path ROOT = Path.of("..");

    @Test
    void thePageInTheDocumentationIsOfTheKeptFigures() throws IOException {
        String page = Files.readString(ROOT.resolve(RoceBench.PAGE));

        assertThat(page)
                .as("stale page; run: bin/bench roce --keep")
                .isEqualTo(RoceBench.pageOf(ROOT.resolve(RoceBench.KEPT)));
        assertThat(page).contains("| WRITE of 1 MiB | Gb/s |", "## The two paths side by side");
    }

    @Test
    void thePictureInTheDocumentationIsOfTheKeptFigures() throws IOException {
        String picture = Files.readString(ROOT.resolve(RoceBench.PICTURE));

        assertThat(picture)
                .as("stale picture; run: bin/bench roce --keep")
                .isEqualTo(RoceBench.pictureOf(ROOT.resolve(RoceBench.KEPT)));
    }

    @Test
    void thePictureOfContentionIsOfTheKeptFigures() throws IOException {
        String picture = Files.readString(ROOT.resolve(RoceBench.CONTENTION_PICTURE));

        assertThat(picture)
                .as("stale picture; run: bin/bench roce --keep")
                .isEqualTo(ContentionPicture.of(RoceBench.logOf(ROOT.resolve(RoceBench.KEPT))))
                .contains(Iperf.NAME, DefaultPerf.NAME);
    }

    @Test
    void aPictureWithoutAFigureIsRefusedByName() {
        ResultLog log = new ResultLog();
        log.add(new Entry.Figure(TwoPaths.PLACE, "speed", TwoPaths.TCP, 3, "Gb/s"));

        assertThatThrownBy(() -> PathsPicture.of(log))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("system calls of the sender");
    }

    @Test
    void showsTheRatioBesideItsLimitAndGoal() {
        ResultLog log = new ResultLog();
        String subject = "WRITE of 8 B, half round trip";
        log.add(new Entry.Figure("loopback", subject, VerbenaPerf.NAME, 3, "us"));
        log.add(new Entry.Figure("loopback", subject, BareC.NAME, 2.5, "us"));
        log.add(new Entry.Note("loopback", "iperf3, TCP", "left out: it is missing"));

        assertThat(new RocePage(log).text())
                .contains("| " + subject + " | us | 3.00 | 2.50 | 1.20 | 1.30 | 1.10 |\n")
                .contains("- iperf3, TCP: left out: it is missing\n");
    }

    @Test
    void aLatencyIsMissedAboveItsLimitAndABandwidthBelow() {
        Subject bandwidth = Subject.basic().getFirst();
        Subject latency = Subject.basic().get(2);

        assertThat(bandwidth.isMissed(0.6, bandwidth.bound().limit())).isTrue();
        assertThat(bandwidth.isMissed(0.7, bandwidth.bound().limit())).isFalse();
        assertThat(latency.isMissed(1.4, latency.bound().limit())).isTrue();
        assertThat(latency.isMissed(1.2, latency.bound().limit())).isFalse();
    }
}
