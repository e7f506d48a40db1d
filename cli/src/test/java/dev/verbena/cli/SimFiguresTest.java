package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The figures that `verbena sim` prints: percentiles, rates, seeds, counters.
@Tag("command")
class SimFiguresTest {
    private static final int FLOWS = 10;
    private static final int STEP_BYTES = 50_000;

    @TempDir Path directory;

    private static Command sim(Object... words) {
        Command run = Command.run(Stream.concat(Stream.of("sim"), Stream.of(words)).toArray());
        assertThat(run.status()).as(run.err()).isZero();
        return run;
    }

    private static Command sim(String words) {
        return sim((Object[]) words.split(" ", -1));
    }

    private static double number(Command run, String field) {
        Matcher found = Pattern.compile("\"" + field + "\":([-0-9.E]+)").matcher(run.out());
        assertThat(found.find()).as("%s in %s", field, run.out()).isTrue();
        return Double.parseDouble(found.group(1));
    }

    /// Ten flows of ten lengths between hosts of their own, so that none delays another; or one of
    /// them.
    private Path flows(int first, int last) throws IOException {
        StringBuilder file = new StringBuilder("Nodes " + 2 * FLOWS + "\n");
        for (int i = first; i <= last; i++) {
            file.append(
                    "%d->%d id %d start 0 size %d\n"
                            .formatted(2 * i - 2, 2 * i - 1, i, i * STEP_BYTES));
        }
        return Files.writeString(directory.resolve(first + "-" + last + ".cm"), file);
    }

    private double alone(int flow) throws IOException {
        return number(sim("--hosts 20 --json --flows " + flows(flow, flow)), "t_max");
    }

    @Test
    void aPercentileIsTheTimeThatAsManyInAHundredReach() throws IOException {
        Command run = sim("--hosts 20 --json --flows " + flows(1, FLOWS));

        assertThat(number(run, "t_min")).isEqualTo(alone(1));
        assertThat(number(run, "t_50")).isEqualTo(alone(5));
        assertThat(number(run, "t_90")).isEqualTo(alone(9));
        assertThat(number(run, "t_99")).isEqualTo(alone(10));
        assertThat(number(run, "t_max")).isEqualTo(alone(10));
    }

    @Test
    void theTableHasTheTimesOfTheJson() throws IOException {
        Path flows = flows(1, FLOWS);
        Command json = sim("--hosts 20 --json --flows " + flows);

        assertThat(sim("--hosts 20 --flows " + flows).out())
                .contains(
                        String.format(
                                Locale.ROOT,
                                "\n 10       %-11.2f %-11.2f %-11.2f %-11.2f %-11.2f %.2f\n",
                                number(json, "t_min"),
                                number(json, "t_50"),
                                number(json, "t_90"),
                                number(json, "t_99"),
                                number(json, "t_max"),
                                number(json, "BW_average")));
    }

    @Test
    void bandwidthIsInGigabitsOfPayload() throws IOException {
        Command run = sim("--hosts 20 --json --flows " + flows(1, FLOWS));

        double bits = 8.0 * STEP_BYTES * (FLOWS * (FLOWS + 1) / 2);
        assertThat(number(run, "BW_average"))
                .isCloseTo(bits / (number(run, "simulated_us") * 1e3), within(0.001));
    }

    @Test
    void theSeedIsPrinted() {
        assertThat(number(sim("--hosts 4 --size 4K --seed 77 --json"), "seed")).isEqualTo(77);
        assertThat(sim("--hosts 4 --size 4K --seed 77").out()).contains(", MTU 4096, seed 77\n");
    }

    @Test
    void theSeedChoosesThePartnersOfAPermutation() {
        // InfiniBand, where the destination alone chooses the path.
        String run = "--fabric ib --hosts 32 --radix 8 --size 256K --json --seed ";

        assertThat(sim(run + 7).out()).isEqualTo(sim(run + 7).out());
        assertThat(withoutSeed(sim(run + 7))).isNotEqualTo(withoutSeed(sim(run + 8)));
    }

    @Test
    void theSeedChoosesAmongEqualPaths() {
        String run = "--pattern shift --hosts 32 --radix 8 --size 256K --json --seed ";

        assertThat(sim(run + 7).out()).isEqualTo(sim(run + 7).out());
        assertThat(withoutSeed(sim(run + 7))).isNotEqualTo(withoutSeed(sim(run + 8)));
    }

    private static String withoutSeed(Command run) {
        return run.out().replaceFirst("\"seed\":\\d+,", "");
    }

    /// Seven of eight hosts on two switches send to the first.
    private static Command incast(Object... more) {
        String words = "--chain 2 --hosts 8 --pattern incast --senders 7 --size 500K";
        return sim(Stream.concat(Stream.of(words.split(" ", -1)), Stream.of(more)).toArray());
    }

    @Test
    void countersOfTwoNodesAreEachTheirOwn() {
        String plain = incast().out();
        String first = incast("--counters", "switch 0").out().substring(plain.length());
        String second = incast("--counters", "switch 1").out().substring(plain.length());

        assertThat(first).contains(" switch 0 port 0 to host 0:\n").isNotEqualTo(second);
        assertThat(incast("--counters", "switch 0", "--counters", "switch 1").out())
                .isEqualTo(plain + first + second);
    }

    @Test
    void aCounterOfTheJsonIsOfThePortThatItNames() {
        String json = incast("--counters", "switch 0", "--json").out();

        // 7 messages of 125 packets leave for the receiver, and their acknowledgements come back.
        assertThat(port(json, 0))
                .contains("\"neighbour\":\"host 0\"")
                .contains("\"tx_prio0_packets\":875");
        assertThat(port(json, 1))
                .contains("\"neighbour\":\"host 1\"")
                .contains("\"rx_prio0_packets\":125");
    }

    private static String port(String json, int number) {
        Matcher found =
                Pattern.compile("\\{\"node\":\"switch 0\",\"port\":" + number + ",[^}]*}")
                        .matcher(json.substring(json.indexOf("\"ports\":[")));
        assertThat(found.find()).as(json).isTrue();
        return found.group();
    }
}
