package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `--metrics` of run, sim and perf.
@Tag("command")
class MetricsOptionTest {
    private static final long BYTES = 65_536;

    @TempDir Path directory;

    private Path scenario(String fabric) throws IOException {
        return Files.writeString(
                directory.resolve("small.yaml"),
                """
                scenario: small
                fabric: {kind: %s}
                topology: {switch: {hosts: 5}}
                workloads:
                  - {name: incast, incast: {senders: 4, size: 64K}}
                """
                        .formatted(fabric));
    }

    private static double sum(String text, String family, Predicate<String> labels) {
        return text.lines()
                .filter(it -> it.startsWith(family + "{") && labels.test(it))
                .mapToDouble(it -> Double.parseDouble(it.substring(it.lastIndexOf(' ') + 1)))
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ib", "roce"})
    void portsOfARunHaveTheNamesOfNodeExporter(String kind) throws IOException {
        Path file = directory.resolve("run.prom");
        Command run = Command.run("run", scenario(kind), "--metrics", file);
        assertThat(run.err()).isEmpty();
        String text = Files.readString(file);
        String sent = "node_infiniband_port_data_transmitted_bytes_total";
        double ofHosts = sum(text, sent, it -> it.contains("device=\"host "));
        // Four messages, their headers, and acknowledgements.
        assertThat(ofHosts).isBetween(4.0 * BYTES, 4.2 * BYTES);
        String received = sent.replace("transmitted", "received");
        assertThat(sum(text, received, it -> it.contains("device=\"host 0\"")))
                .isBetween(4.0 * BYTES, 4.2 * BYTES);
        String rate = "node_infiniband_rate_bytes_per_second";
        assertThat(sum(text, rate, it -> it.contains("\"host 1\""))).isEqualTo(50e9);
    }

    @Test
    void aRunEndsWithItsResult() throws IOException {
        Path file = directory.resolve("run.prom");
        Command.run("run", scenario("roce"), "--metrics", file);
        String text = Files.readString(file);
        assertThat(text)
                .contains("\nverbena_run_progress_ratio 1.0\n")
                .contains("\nverbena_run_good_ratio 1\n")
                .contains("\nverbena_run_completed_ratio{workload=\"incast\"} 1.0\n")
                .contains("\nverbena_run_drops 0.0\n");
        assertThat(sum(text, "verbena_run_max_seconds", _ -> true)).isBetween(5e-6, 8e-6);
    }

    @Test
    void aSimulationShowsItsPorts() throws IOException {
        Path file = directory.resolve("sim.prom");
        Command sim =
                Command.run(
                        "sim",
                        "--hosts",
                        5,
                        "--pattern",
                        "incast",
                        "--size",
                        "64K",
                        "--metrics",
                        file);
        assertThat(sim.status()).isZero();
        String text = Files.readString(file);
        String received = "node_infiniband_port_data_received_bytes_total";
        assertThat(sum(text, received, it -> it.contains("device=\"host 0\"")))
                .isBetween(4.0 * BYTES, 4.2 * BYTES);
    }

    @Test
    void aTargetThatThereIsNotIsAUsageError() throws IOException {
        for (Object[] words :
                new Object[][] {
                    {"run", scenario("roce")}, {"sim", "--hosts", 4}, {"perf", "write", "bw"}
                }) {
            Object[] all = java.util.Arrays.copyOf(words, words.length + 2);
            all[words.length] = "--metrics";
            all[words.length + 1] = "70000";
            Command wrong = Command.run(all);
            assertThat(wrong.status()).isEqualTo(2);
            assertThat(wrong.err()).contains("use a port of 1 to 65535");
        }
    }
}
