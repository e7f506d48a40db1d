package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What `verbena sim` makes of cables, and times and rates that can be worked out on paper.
@Tag("command")
class SimCablesTest {
    private static final Path CASES =
            Path.of(System.getProperty("verbena.root", ".."), "cli/src/test/resources/sim");

    /// Two switches with two hosts each at 100 Gb/s, and one lane of SDR between them.
    private static final String MIX = "--topology " + CASES.resolve("mix.topo") + " --size 1M ";

    private static final String RING = "--topology " + CASES.resolve("ring.topo") + " ";

    @TempDir Path directory;

    private static Command run(String words) {
        return Command.run(
                Stream.concat(Stream.of("sim"), Stream.of(words.strip().split(" +", -1)))
                        .toArray());
    }

    private static Command sim(String words) {
        Command run = run(words);
        assertThat(run.status()).as(run.err()).isZero();
        return run;
    }

    private static double number(Command run, String field) {
        Matcher found = Pattern.compile("\"" + field + "\":([-0-9.E]+)").matcher(run.out());
        assertThat(found.find()).as("%s in %s%s", field, run.out(), run.err()).isTrue();
        return Double.parseDouble(found.group(1));
    }

    @Test
    void speedsOfAFileAreUsed() {
        Command run = sim("--fabric ib --pattern shift --by 2 --json " + MIX);

        // Two flows each way share 2 Gb/s; 26 bytes are around a payload of 4,096.
        double most = 2 * 2 * 4096.0 / 4122;
        assertThat(number(run, "BW_average")).isBetween(0.99 * most, most);
        assertThat(run.out())
                .contains(
                        "\"rates\":[{\"gbits\":100.0,\"cables\":4},{\"gbits\":2.0,\"cables\":1}]");
    }

    @Test
    void speedsOfAFileAreUsedOnEthernetToo() {
        double gbits = number(sim("--pattern shift --by 2 --json " + MIX), "BW_average");
        assertThat(gbits).isBetween(3.85, 4.0);
    }

    @Test
    void theResultSaysWhichSpeedsThereAre() {
        assertThat(sim("--fabric ib --pattern shift --by 2 " + MIX).out())
                .contains(
                        " InfiniBand, cut through at 100 Gb/s (4 cables), 2 Gb/s (1 cable), MTU"
                                + " 4096, seed 1\n");
        assertThat(sim("--hosts 4 --rate NDR --size 4K").out()).contains(" at 400 Gb/s, MTU");
    }

    @Test
    void cablesWithoutASpeedHaveTheOneOfTheCommandLine() throws IOException {
        String speeds = Files.readString(CASES.resolve("mix.topo"));
        Path some = Files.writeString(directory.resolve("some.topo"), speeds.replace(" 4xEDR", ""));

        assertThat(sim("--topology " + some + " --size 4K --rate 4xHDR").out())
                .contains(" at 200 Gb/s (4 cables), 2 Gb/s (1 cable), MTU");
        assertThat(sim("--topology " + some + " --size 4K").out())
                .contains(" at 400 Gb/s (4 cables), 2 Gb/s (1 cable), MTU");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--rate 400", "--uplink-rate 400", "--uplink-length 5"})
    void aSpeedBesideAFileWithSpeedsIsRefused(String option) {
        Command run = run(MIX + option);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .startsWith(
                        "verbena sim: %s has no effect with --topology: the file "
                                .formatted(option.split(" ", 2)[0]));
    }

    @Test
    void uplinksNeedASecondSwitch() {
        Command run = run("--hosts 8 --uplink-rate 800");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--uplink-rate has no effect on a single switch");
        assertThat(run("--hosts 8 --rate 4xZDR").err()).contains("'4xZDR' is no rate");
    }

    @Test
    void aTreeOfFewFastUplinksCarriesAsMuchAsOneOfMany() {
        String shift =
                "--spread fixed --hosts 16 --tiers 2 --radix 8 --pattern shift --by 8 --json";
        double many = number(sim(shift + " --oversubscription 1"), "BW_average");
        double few = number(sim(shift + " --oversubscription 2"), "BW_average");
        Command fast = sim(shift + " --oversubscription 2 --uplink-rate 800");

        assertThat(few).isCloseTo(many / 2, within(0.1 * many));
        assertThat(number(fast, "BW_average")).isCloseTo(many, within(0.03 * many));
    }

    @Test
    void longUplinksTakeTheirTime() {
        String one = "--hosts 16 --tiers 2 --radix 8 --pattern shift --by 8 --size 1 --json ";
        double near = number(sim(one), "t_max");
        double far = number(sim(one + "--uplink-length 520"), "t_max");

        // 500 metres more, up and down, there and back.
        assertThat(far - near).isCloseTo(4 * 2.5, within(0.001));
    }

    @Test
    void speedsSurviveAFile() {
        Path file = directory.resolve("tree.topo");
        String flows = "--pattern permutation --size 100K --json";
        String cables = " --uplink-rate 800 --uplink-length 50";
        Command tree =
                sim(
                        flows
                                + " --hosts 16 --tiers 2 --radix 8"
                                + cables
                                + " --write-topology "
                                + file);

        Command read = sim(flows + " --topology " + file);
        assertThat(withoutShape(read)).contains("\"t_max\"").isEqualTo(withoutShape(tree));
    }

    /// A file has a name, and its switches no tiers.
    private static String withoutShape(Command run) {
        return run.out()
                .replaceFirst("\"topology\":\"[^\"]*\",", "")
                .replaceFirst("\"tiers\":\\[.*?],", "");
    }

    /// IBA 7.7, 9.2: LRH, BTH, ICRC and VCRC are 26 bytes around each payload within a subnet.
    @ParameterizedTest
    @CsvSource({"256, 363.1", "1024, 390.1", "4096, 397.5"})
    void aPacketOfInfiniBandHasNoGlobalHeaderWithinItsSubnet(int mtu, double gbits) {
        Command run =
                sim(
                        "--fabric ib --hosts 2 --pattern incast --senders 1 --size 256M --json"
                                + " --mtu "
                                + mtu);

        // The way there and back beside the packets: two cables of 100 ns and a switch of 200 each.
        long packets = (256L << 20) / mtu;
        double ns = (packets * (mtu + 26) + 16 + 64 + 2 * 30) * 0.02 + 800;
        assertThat(number(run, "BW_average"))
                .isCloseTo(gbits, within(0.1))
                .isCloseTo(8.0 * (256 << 20) / ns, within(0.002));
    }

    /// On fixed routes no two flows of a shift share a cable: each takes as long as if it were
    /// alone.
    @ParameterizedTest
    @CsvSource({"1, 2, 6", "8, 4, 6", "64, 6, 6", "512, 6, 6"})
    void everyShiftOverThreeTiersTakesTheTimeOfItsWay(int by, int shortest, int longest) {
        Command run =
                sim(
                        "--fabric ib --hosts 1024 --tiers 3 --radix 16 --pattern shift --size 256K"
                                + " --json --by "
                                + by);

        // Frames with credits take 0.16 ns each of the way back.
        assertThat(number(run, "t_min")).isBetween(alone(shortest), alone(shortest) + 0.03);
        assertThat(number(run, "t_max")).isBetween(alone(longest), alone(longest) + 0.03);
    }

    /// Microseconds of 64 packets and their acknowledgement over so many cables of 20 metres, with
    /// a switch that cuts through between each two.
    private static double alone(int cables) {
        double packets = (64 * 4122 + 16) * 0.02;
        double heads = (cables - 1) * 64 * 0.02;
        double acknowledgement = cables * 30 * 0.02;
        double way = cables * 100 + (cables - 1) * 200;
        return (packets + heads + acknowledgement + 2 * way) / 1000;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--xoff 100K | paused in priority 0",
                "--fabric ib | without credit in lane 0"
            })
    void aDeadlockIsNamedWithItsCircle(String kind, String why) {
        Command text = run(RING + "--pattern shift --by 2 --size 4M " + kind);
        Command json = run(RING + "--pattern shift --by 2 --size 4M --json " + kind);

        assertThat(text.status()).isEqualTo(1);
        assertThat(text.err()).isEmpty();
        assertThat(text.out())
                .containsPattern(
                        "\n deadlock, seen after \\d+ us: 6 ports wait for each other in a"
                                + " circle\n")
                .containsPattern("\n   sw 0 port 1 to sw 1, " + why + ": [0-9,]+ bytes wait\n")
                .containsPattern("\n   sw 5 port 1 to sw 0, " + why + ": [0-9,]+ bytes wait\n")
                .contains("in deadlock they never will be")
                .doesNotContain("--limit");
        assertThat(json.status()).isEqualTo(1);
        assertThat(json.out())
                .contains("\"deadlock\":{\"time_us\":")
                .contains("\"ports\":6,\"cycle\":[{\"node\":\"sw 0\",\"port\":1,")
                .contains("\"neighbour\":\"sw 1\",\"lane\":0,\"waiting_bytes\":");
        assertThat(number(json, "simulated_us")).isLessThan(2_000);
    }

    @Test
    void aRingThatIsOnlySlowEnds() {
        Command run = sim(RING + "--pattern shift --by 1 --size 4M --xoff 100K --rate 2 --json");

        assertThat(run.out()).doesNotContain("deadlock");
        assertThat(number(run, "flows_done")).isEqualTo(6);
    }
}
