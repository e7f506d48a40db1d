package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The files of `--series`: they end with the counters of the result, and never count backwards.
@Tag("command")
class SimSeriesTest {
    private static final String INCAST = "--chain 2 --hosts 8 --pattern incast --senders 7 ";

    @TempDir Path directory;

    /// A row of a file.
    private record Row(double timeUs, String port, String counter, long value) {
        static Row of(String line) {
            String[] fields = line.split(",", -1);
            assertThat(fields).hasSize(5);
            return new Row(
                    Double.parseDouble(fields[0]),
                    fields[1] + " " + fields[2],
                    fields[3],
                    Long.parseLong(fields[4]));
        }

        boolean isCounter() {
            return !counter.equals("queued_bytes");
        }
    }

    private record Series(SimRun run, List<Row> rows) {
        /// The last value of each counter, by port and name.
        Map<String, Row> last() {
            Map<String, Row> last = new LinkedHashMap<>();
            rows.forEach(row -> last.put(row.port + " " + row.counter, row));
            return last;
        }

        long sum(String counter) {
            return last().values().stream()
                    .filter(it -> it.counter.equals(counter))
                    .mapToLong(Row::value)
                    .sum();
        }
    }

    private Series series(String words, String node) throws IOException {
        Path file = directory.resolve(node + ".csv");
        SimRun run =
                SimRun.of("%s --counters %s --series %s=%s".formatted(words, node, node, file));
        List<String> lines = Files.readAllLines(file);
        assertThat(lines.getFirst()).isEqualTo("time_us,node,port,counter,value");
        return new Series(run, lines.stream().skip(1).map(Row::of).toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                INCAST + "--size 500K --xoff 50K --every 5",
                INCAST + "--size 500K --every 0.3",
                INCAST + "--size 500K --every 10000",
                INCAST + "--size 1G --every 7 --limit 100",
                INCAST + "--size 500K --buffer 200K --lossy --limit 1000 --every 33",
                "--fabric ib " + INCAST + "--size 500K --every 5",
            })
    void aSeriesEndsWithTheCountersOfTheResult(String words) throws IOException {
        for (String node : List.of("switch-0", "switch-1", "host-0", "host-7")) {
            Series series = series(words, node);
            Map<String, Row> last = series.last();
            SimRun run = series.run;
            int counters = 0;
            for (int port = 0; run.values().containsKey("ports[" + port + "].port"); port++) {
                String at = "ports[%d].".formatted(port);
                String name = run.value(at + "node") + " " + run.value(at + "port");
                for (Map.Entry<String, String> entry : run.values().entrySet()) {
                    String counter = entry.getKey().replace(at, "");
                    if (entry.getKey().startsWith(at)
                            && !List.of("node", "port", "neighbour").contains(counter)) {
                        Row row = last.get(name + " " + counter);
                        assertThat(row).as("%s %s", name, counter).isNotNull();
                        assertThat(row.value).isEqualTo(Long.parseLong(entry.getValue()));
                        counters++;
                    }
                }
            }
            assertThat(counters).isPositive();
            assertThat(last.values().stream().filter(Row::isCounter)).hasSize(counters);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                INCAST + "--size 500K --xoff 50K --every 5",
                INCAST + "--size 1G --every 7 --limit 100",
                INCAST + "--size 500K --buffer 200K --lossy --limit 1000 --every 33",
                "--fabric ib " + INCAST + "--size 500K --every 5",
            })
    void aCounterNeverFallsAndHasARowAtTheEnd(String words) throws IOException {
        Series series = series(words, "switch-0");
        Map<String, Row> before = new LinkedHashMap<>();
        double nowUs = 0;
        for (Row row : series.rows) {
            assertThat(row.timeUs).isGreaterThanOrEqualTo(nowUs);
            nowUs = row.timeUs;
            Row earlier = before.put(row.port + " " + row.counter, row);
            if (earlier != null) {
                assertThat(row.timeUs).isGreaterThan(earlier.timeUs);
                assertThat(row.isCounter() && row.value < earlier.value).as("%s", row).isFalse();
            }
        }
        double endUs =
                Double.parseDouble(
                        String.format(Locale.ROOT, "%.3f", series.run.number("simulated_us")));
        assertThat(series.last().values()).allMatch(it -> it.timeUs == endUs);
    }

    @Test
    void whatASwitchReceivesItSendsOrDrops() throws IOException {
        for (String size :
                List.of("--size 500K", "--size 500K --buffer 200K --lossy --limit 1000")) {
            Series series = series(INCAST + size, "switch-0");

            assertThat(series.sum("queued_bytes")).isZero();
            assertThat(series.sum("rx_prio0_packets"))
                    .isPositive()
                    .isEqualTo(series.sum("tx_prio0_packets") + series.sum("rx_prio0_discards"));
        }
    }

    @Test
    void oneNodeMayHaveTwoFiles() throws IOException {
        Path one = directory.resolve("one.csv");
        Path two = directory.resolve("two.csv");
        Command run =
                Command.run(
                        "sim",
                        "--tiers",
                        "1",
                        "--hosts",
                        "4",
                        "--size",
                        "100K",
                        "--series",
                        "leaf-0=" + one,
                        "--series",
                        "leaf 0=" + two);

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(Files.readString(two)).isEqualTo(Files.readString(one)).contains("tx_prio0");
    }
}
