package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every figure of the text is in the JSON, with the same value.
@Tag("command")
class SimTextTest {
    /// A line of the text, and the paths of its figures in the JSON. `#` in a path is the number of
    /// such lines before.
    private record Line(Pattern pattern, List<String> paths) {
        Line(String pattern, String... paths) {
            this(Pattern.compile(pattern), List.of(paths));
        }
    }

    private static final String N = "([-0-9.,]+)";
    private static final String HOSTS = "flow (\\d+) from host (\\d+) to host (\\d+)";

    private static final List<Line> LINES =
            List.of(
                    new Line(" ((?:single switch|fat tree|chain).*)", "topology"),
                    new Line(
                            " RoCE v2, (\\w+), (\\w+) at (\\d+) Gb/s, MTU (\\d+), seed (\\d+)",
                            "spread",
                            "loss",
                            "rates[0].gbits",
                            "mtu",
                            "seed"),
                    new Line(
                            " InfiniBand, (.*) at (\\d+) Gb/s, MTU (\\d+), seed (\\d+)",
                            "switching",
                            "rates[0].gbits",
                            "mtu",
                            "seed"),
                    new Line(" \\S+: " + N + " flows?", "flows"),
                    new Line(" warning: (.*)", "warning"),
                    new Line("-+"),
                    new Line(" #flows .*"),
                    new Line(
                            " (\\d+)" + (" +" + N).repeat(6),
                            "flows_done",
                            "t_min",
                            "t_50",
                            "t_90",
                            "t_99",
                            "t_max",
                            "BW_average"),
                    new Line(
                            " queue pair 0x([0-9a-f]+) gave up after (\\d) retries: " + HOSTS,
                            "failed[#].queue_pair",
                            "failed[#].retries",
                            "failed[#].flow",
                            "failed[#].source",
                            "failed[#].destination"),
                    new Line(" " + N + " more; --json has all", "more"),
                    new Line(" " + N + " of " + N + " flows failed", "flows_failed", "flows"),
                    new Line(
                            " did not start: " + HOSTS,
                            "not_started[#].flow",
                            "not_started[#].source",
                            "not_started[#].destination"),
                    new Line(
                            " " + N + " of " + N + " flows did not start: the .* failed",
                            "flows_not_started",
                            "flows"),
                    new Line(
                            " " + N + " of " + N + " flows are not over after " + N + " us: .*",
                            "flows_pending",
                            "flows",
                            "simulated_us"),
                    new Line(" delivered " + N + " of " + N + " bytes", "bytes_delivered", "bytes"),
                    new Line(
                            " packets sent " + N + ", over links " + N + "; dropped " + N,
                            "packets",
                            "packet_hops",
                            "drops"),
                    new Line(
                            " pause frames " + N + "; the longest paused port waited " + N + " us",
                            "pause_frames",
                            "longest_pause_us"),
                    new Line(" credit frames " + N, "credit_frames"),
                    new Line(
                            " packets marked "
                                    + N
                                    + "; CNPs sent "
                                    + N
                                    + ", received "
                                    + N
                                    + "; cuts "
                                    + N,
                            "packets_marked",
                            "cnps_sent",
                            "cnps_received",
                            "cuts"),
                    new Line(" fault: (.*)", "faults[#]"),
                    new Line(" packets lost on cables " + N, "packets_lost"),
                    new Line(
                            " congestion control (\\w+)((?: \\w+=\\S+)*)",
                            "congestion_control",
                            "parameters"),
                    new Line("  ((?: \\w+=\\S+)+)", "parameters"),
                    new Line(" the first of them over " + N + " us:", "simulated_us"),
                    new Line("   ([▁▂▃▄▅▆▇█]{64})", "marks"),
                    new Line(" fullest buffer of a port " + N + " bytes", "highest_buffer"),
                    new Line(" busiest links:"),
                    new Line(
                            " +([0-9.]+) %  (.*) port (\\d+) to (.*)",
                            "busiest_links[#].busy_percent",
                            "busiest_links[#].node",
                            "busiest_links[#].port",
                            "busiest_links[#].neighbour"),
                    new Line(
                            " (\\S.*) port (\\d+) to (.*):",
                            "ports[#].node",
                            "ports[#].port",
                            "ports[#].neighbour"),
                    new Line("   (\\w+) +" + N, "counter", "counter value"),
                    new Line("   (\\S.*)", "tiers[#]"));

    private static final String INCAST = "--tiers 1 --hosts 12 --pattern incast --senders 11 ";

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--hosts 100 --size 64K",
                "--hosts 65 --tiers 3 --radix 16 --size 16K --spread spray --seed 9",
                "--fabric ib --chain 3 --hosts 9 --pattern alltoall --size 10K --counters switch-1",
                "--fabric ib --store-and-forward --hosts 8 --pattern shift --mtu 256 --size 1000",
                INCAST + "--size 500K --xoff 50K --counters leaf-0 --counters host-3",
                INCAST + "--size 10M --rate 40 --mtu 1K --cc published --limit 5000",
                INCAST + "--size 1M --cc swift",
                INCAST + "--size 64K --fault host-0=slow:0.5@1-2 --fault all=loss:0.001",
                INCAST + "--buffer 50K --lossy",
                INCAST + "--size 1G --limit 20",
            })
    void everyFigureOfTheTextIsInTheJson(String words) throws IOException {
        compare(words);
    }

    @Test
    void everyFlowThatDidNotStartIsInTheJson() throws IOException {
        StringBuilder file = new StringBuilder();
        for (int i = 1; i < 24; i++) {
            file.append("%d->0 size 262144 send_done_trigger 1\n".formatted(i));
            file.append("0->%d trigger 1 size 4096\n".formatted(i));
        }
        file.append("trigger id 1 barrier count 23\n");
        Path flows = Files.writeString(directory.resolve("loss.cm"), file);

        compare("--tiers 1 --hosts 24 --buffer 100K --lossy --limit 5000000 --flows " + flows);
    }

    private static void compare(String words) throws IOException {
        Command text = SimRun.text(words);
        SimRun json = SimRun.of(words);
        assertThat(json.command().status()).isEqualTo(text.status());
        Map<Line, Integer> before = new HashMap<>();
        String latest = "";
        int ports = 0;
        for (String line : text.out().lines().toList()) {
            boolean isKnown = false;
            for (Line each : LINES) {
                Matcher matcher = each.pattern.matcher(line);
                if (matcher.matches()) {
                    int number = before.merge(each, 1, Integer::sum) - 1;
                    ports += each.paths.contains("ports[#].port") ? 1 : 0;
                    check(each.paths, number, matcher, json, ports - 1, latest);
                    latest = each.paths.isEmpty() ? latest : each.paths.getFirst();
                    isKnown = true;
                    break;
                }
            }
            assertThat(isKnown).as("a line that this test does not know: %s", line).isTrue();
        }
    }

    private static void check(
            List<String> paths, int number, Matcher line, SimRun json, int port, String latest) {
        for (int i = 0; i < paths.size(); i++) {
            String shown = line.group(i + 1);
            String path = paths.get(i).replace("#", "" + number);
            switch (paths.get(i)) {
                case "parameters" -> parameters(shown, json);
                case "marks" -> marks(shown, json);
                case "loss" ->
                        assertThat(json.value("lossy")).isEqualTo("" + shown.equals("lossy"));
                case "switching" ->
                        assertThat(json.value("cut_through"))
                                .isEqualTo("" + shown.equals("cut through"));
                case "more" -> {
                    String all = latest.startsWith("failed") ? "flows_failed" : "flows_not_started";
                    assertThat(json.count(all)).isEqualTo(8 + number(shown).longValue());
                }
                case "failed[#].queue_pair" ->
                        assertThat(json.count(path)).isEqualTo(Long.parseLong(shown, 16));
                case "counter" -> {
                    String name = "ports[%d].%s".formatted(port, shown);
                    assertSame(line.group(2), json.value(name), name);
                }
                case "counter value" -> {}
                default -> {
                    if (shown.equals("-")) {
                        assertThat(json.values()).doesNotContainKey(path);
                    } else {
                        assertSame(shown, json.value(path), path);
                    }
                }
            }
        }
    }

    private static BigDecimal number(String shown) {
        return new BigDecimal(shown.replace(",", ""));
    }

    /// The same text, or the same number as far as it is shown.
    private static void assertSame(String shown, String exact, String path) {
        if (shown.matches("-?[0-9][0-9,]*(\\.[0-9]+)?")) {
            BigDecimal rounded =
                    new BigDecimal(exact).setScale(number(shown).scale(), RoundingMode.HALF_UP);
            assertThat(rounded).as(path).isEqualTo(number(shown));
        } else {
            assertThat(exact).as(path).isEqualTo(shown);
        }
    }

    private static void parameters(String shown, SimRun json) {
        for (String word : shown.strip().split(" ", -1)) {
            String[] parts = word.split("=", 2);
            if (parts.length == 2) {
                assertThat(json.number("parameters." + parts[0]))
                        .isEqualTo(Double.parseDouble(parts[1]));
            }
        }
    }

    /// Each mark is the busiest link in the step that holds the middle of its part of the time.
    private static void marks(String shown, SimRun json) {
        int step = 0;
        for (int i = 0; i < shown.length(); i++) {
            double at = (i + 0.5) / shown.length() * json.number("simulated_us");
            while (json.values().containsKey("bottleneck.until_us[%d]".formatted(step + 1))
                    && json.number("bottleneck.until_us[%d]".formatted(step)) <= at) {
                step++;
            }
            double busy = json.number("bottleneck.utilisation[%d]".formatted(step));
            assertThat(shown.charAt(i) - '▁')
                    .as("mark %d", i)
                    .isEqualTo((int) Math.round(7 * busy));
        }
    }
}
