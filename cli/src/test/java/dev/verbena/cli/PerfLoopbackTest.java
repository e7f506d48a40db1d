package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two processes on two addresses of the loopback network, with real sockets between them.
@Tag("long")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PerfLoopbackTest {
    /// So short a warm-up may be too short.
    private static final String COLD_OR_END = "( Not warm yet: .*\n)?-";

    @TempDir private Path folder = Path.of("");

    private static Command perf(String... words) {
        List<Object> all = new ArrayList<>(List.of("perf"));
        all.addAll(List.of(words));
        all.addAll(List.of("--loopback", "--warm_up_ms", "20"));
        return Command.run(all.toArray());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "read bw -s 5000",
                "write bw -b -s 4K",
                "send bw -q 20 -s 64 -l 4",
                "write bw -s 64K --rotate 1M --progress thread"
            })
    void bandwidthIsMeasured(String words) {
        Command command = perf((words + " -n 200").split(" ", -1));

        assertThat(command.status()).as(command.err()).isZero();
        assertThat(command.out())
                .contains("BW average[MiB/sec]")
                .containsPattern(
                        "\n \\d+ +\\d+ +\\d+\\.\\d\\d +\\d+\\.\\d\\d *\t\t +\\d\\.\\d{6}\n"
                                + COLD_OR_END);
    }

    @ParameterizedTest
    @ValueSource(strings = {"write lat -s 8", "atomic lat", "send lat -q 3"})
    void latencyIsMeasured(String words) {
        Command command = perf((words + " -n 200").split(" ", -1));

        assertThat(command.status()).as(command.err()).isZero();
        assertThat(command.out())
                .contains("t_typical[usec]")
                .containsPattern("\n \\d+ +200(\\s+\\d+\\.\\d\\d){7}\\s*\n" + COLD_OR_END);
    }

    @Test
    void aRunThatIsNotWarmSaysSo() {
        Command command =
                Command.run("perf", "write", "bw", "-n", "50", "--loopback", "--warm_up_ms", "0");

        assertThat(command.status()).as(command.err()).isZero();
        assertThat(command.out()).contains("\n Not warm yet: ").contains("--warm_up_ms");
    }

    @Test
    void severalSizesGiveARowEach() {
        Command command = perf("send", "bw", "-a", "-n", "20");

        assertThat(command.status()).as(command.err()).isZero();
        assertThat(command.out().lines().filter(line -> line.matches(" \\d+ +20 .*"))).hasSize(23);
    }

    @Test
    void singleLatenciesAreListedWhenWanted() {
        Command command = perf("read", "lat", "-n", "50", "-H");

        assertThat(command.status()).as(command.err()).isZero();
        assertThat(command.out()).contains("#, usec\n1, ").contains("\n50, ");
    }

    @Test
    void jsonGoesIntoAFileBesideTheTable() throws Exception {
        Path file = folder.resolve("out.json");
        Command command =
                perf("write", "bw", "-s", "4K", "-n", "100", "--out_json_file", file.toString());

        assertThat(command.status()).as(command.err()).isZero();
        assertThat(command.out()).contains("RDMA_Write BW Test");
        assertThat(Files.readString(file)).contains("\"MsgSize\":4096,\"n_iterations\":100,");
    }

    @Test
    void aDeviceThatCannotBeOpenedIsExplained() {
        Command command = perf("write", "bw", "-d", "roce://192.0.2.77", "-n", "10");

        assertThat(command.status()).isEqualTo(1);
        assertThat(command.err()).startsWith("verbena perf: ").contains("192.0.2.77");
    }
}
