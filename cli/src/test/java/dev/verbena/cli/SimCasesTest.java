package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands whose answers were wrong or misleading, with the right ones.
@Tag("command")
class SimCasesTest {
    private static final Path CASES = Path.of("src/test/resources/sim");
    private static final Path ROOT = Path.of(System.getProperty("verbena.root", ".."));

    @TempDir Path directory;

    private static Path file(String name) {
        return ROOT.resolve("cli").resolve(CASES).resolve(name);
    }

    private Path written(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void aBarrierWaitsForAllItsFlows() throws IOException {
        SimRun run = SimRun.of("--flows " + file("bar.cm"));

        // 2,442 packets of 4,178 bytes at 20 ps are 204.1 us; two switches and three cables, there
        // and back, some 1.4 us; the flow that waits takes 1.3 us more.
        assertThat(run.number("simulated_us")).isCloseTo(206.9, within(0.1));
        assertThat(run.count("flows_done")).isEqualTo(3);
    }

    @Test
    void aTriggerThatDoesNotFitTheFlowsIsRefusedWithItsLine() throws IOException {
        Path flows =
                written("three.cm", Files.readString(file("bar.cm")).replace("count 2", "count 3"));
        Command run = SimRun.text("--flows " + flows);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo(
                        "verbena sim: %s, line 7, 'trigger id 7 barrier count 3': trigger 7 "
                                        .formatted(flows)
                                + "is fired 2 times, not 3: use count 1 to 2;"
                                + " see verbena sim --help\n");
    }

    @Test
    void flowsThatCanNoLongerStartAreNamed() throws IOException {
        StringBuilder file = new StringBuilder();
        for (int i = 1; i < 24; i++) {
            file.append("%d->0 size 262144 send_done_trigger 1\n".formatted(i));
        }
        file.append("0->24 trigger 1 size 4096 send_done_trigger 2\n");
        file.append("24->5 trigger 2 size 4096\n");
        file.append("trigger id 1 barrier count 23\n");
        Path flows = written("loss.cm", file.toString());
        String words =
                "--tiers 1 --hosts 25 --buffer 100K --lossy --limit 5000000 --flows " + flows;

        Command text = SimRun.text(words);
        SimRun json = SimRun.of(words);

        assertThat(text.status()).isEqualTo(1);
        assertThat(text.out())
                .contains(
                        " did not start: flow 24 from host 0 to host 24\n",
                        " did not start: flow 25 from host 24 to host 5\n",
                        " 2 of 25 flows did not start: the flows that start them failed\n");
        assertThat(json.value("not_started[0].flow")).isEqualTo("24");
        assertThat(json.value("not_started[1].source")).isEqualTo("24");
        assertThat(json.value("flows_not_started")).isEqualTo("2");
    }

    @Test
    void aRunWithFailedFlowsHasAResult() throws IOException {
        String words =
                "--tiers 1 --hosts 64 --pattern incast --senders 63 --size 1M --buffer 8M --lossy";
        SimRun run = SimRun.of(words);

        assertThat(run.command().status()).isEqualTo(1);
        assertThat(run.command().err()).isEmpty();
        assertThat(run.count("flows_failed")).isPositive();
        assertThat(run.value("failed[0].status")).isEqualTo("RETRY_EXCEEDED");
        assertThat(run.value("failed[0].destination")).isEqualTo("0");
    }

    @Test
    void theSeedDecidesWhichOfTwoSendersLoses() throws IOException {
        int first = 0;
        int second = 0;
        for (int seed = 1; seed <= 12; seed++) {
            SimRun run =
                    SimRun.of(
                            "--tiers 1 --hosts 3 --pattern incast --senders 2 --size 16M"
                                    + " --buffer 1M --lossy --counters leaf-0 --seed "
                                    + seed);
            long one = run.count("ports[1].rx_prio0_discards");
            long two = run.count("ports[2].rx_prio0_discards");
            first += one > two ? 1 : 0;
            second += two > one ? 1 : 0;
        }
        assertThat(List.of(first, second)).allMatch(it -> it >= 2);
    }

    @Test
    void withoutJitterAllHostsStartInOneInstant() throws IOException {
        String words = "--tiers 1 --hosts 4 --pattern shift --by 1 --size 4K";
        SimRun together = SimRun.of(words + " --jitter 0");
        SimRun apart = SimRun.of(words + " --jitter 1000000");

        assertThat(together.number("span_us")).isEqualTo(together.number("t_max"));
        assertThat(apart.number("span_us")).isBetween(2 * apart.number("t_max"), 1002.0);
        // A host starts within the time of one packet: 4,178 bytes at 20 ps.
        SimRun usual = SimRun.of(words);
        assertThat(usual.number("span_us") - usual.number("t_max"))
                .isPositive()
                .isLessThan(0.08356);
    }

    @ParameterizedTest
    @CsvSource({"-1", "NaN", "1e13"})
    void aJitterThatIsNoTimeIsRefused(String jitter) {
        Command run = SimRun.text("--hosts 4 --size 4K --jitter " + jitter);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--jitter").contains("use 0 to 1,000,000,000,000");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aTreeHasTheTiersThatWereAskedFor(int tiers) {
        int hosts = tiers == 1 ? 64 : 128;
        Command run = SimRun.text("--hosts %d --tiers %d --size 4K".formatted(hosts, tiers));

        String name = tiers == 1 ? "single switch" : "fat tree of " + tiers + " tiers";
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).startsWith(" %s: %d hosts, ".formatted(name, hosts));
    }

    @Test
    void bandwidthCountsFromTheFirstStart() throws IOException {
        SimRun run = SimRun.of("--hosts 2 --flows " + file("late.cm"));

        // 10 MB after 1 ms; 4,096 of 4,178 bytes are payload, and the last acknowledgement takes a
        // few microseconds.
        assertThat(run.number("BW_average")).isBetween(388.0, 392.2);
        assertThat(run.number("span_us")).isEqualTo(run.number("t_max"));
        assertThat(run.number("simulated_us"))
                .isCloseTo(1000 + run.number("t_max"), within(0.0001));
    }

    @Test
    void aRunThatEndsAtItsLimitShowsWhatWasDelivered() throws IOException {
        String words = "--tiers 1 --hosts 2 --pattern shift --by 1 --size 1G --limit 1000";
        Command text = SimRun.text(words);
        SimRun run = SimRun.of(words);

        assertThat(text.status()).isEqualTo(1);
        double delivered = run.number("bytes_delivered");
        // Both directions, at 4,096 of 4,178 bytes; acknowledgements take some of it.
        assertThat(run.number("BW_average")).isBetween(780.0, 784.4);
        assertThat(run.number("BW_average"))
                .isCloseTo(delivered * 8 / (run.number("span_us") * 1e3), within(1e-6));
        assertThat(run.number("simulated_us")).isEqualTo(1000);
        assertThat(delivered % 4096).isZero();
        assertThat(text.out())
                .contains(
                        " 2 of 2 flows are not over after 1000 us: allow more time with --limit\n",
                        " delivered %s of 2,147,483,648 bytes\n"
                                .formatted(Texts.count((long) delivered)));
    }
}
