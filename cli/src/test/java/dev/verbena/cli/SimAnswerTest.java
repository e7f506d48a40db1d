package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers of `verbena sim`: failed flows, triggers, congestion control, and options that it
/// refuses.
@Tag("command")
class SimAnswerTest {
    private static final Path ROOT = Path.of(System.getProperty("verbena.root", ".."));

    /// A switch that keeps some tens of packets, and time for all retries.
    private static final String LOSSY = "--tiers 1 --buffer 100K --lossy --limit 5000000 ";

    /// All other hosts send to one at once.
    private static final String LOSS =
            LOSSY + "--hosts 24 --pattern incast --senders 23 --size 256K";

    @TempDir Path directory;

    @Test
    void aQueuePairThatGivesUpIsAResultLineWithItsFlowAndItsHosts() {
        Command run = sim(LOSS);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .containsPattern(
                        "\n queue pair 0x[0-9a-f]+ gave up after 7 retries: flow (\\d+) from host"
                                + " \\1 to host 0\n")
                .containsPattern("\n \\d+ more; --json has all\n \\d+ of 23 flows failed\n")
                .doesNotContain("Exception", "allow more time");
    }

    @Test
    void aQueuePairThatGivesUpIsInTheJson() {
        Command run = sim(LOSS + " --json");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).isEmpty();
        int failed = (int) number(run, "flows_failed");
        assertThat(failed).isPositive();
        assertThat(number(run, "flows_done")).isEqualTo(23 - failed);
        String flow = "\\{\"flow\":\\d+,\"source\":\\d+,\"destination\":0,\"queue_pair\":\\d+,";
        String end = "\"status\":\"RETRY_EXCEEDED\",\"retries\":7,\"time_us\":[0-9.]+}";
        assertThat(matches(flow + end, run.out())).hasSize(failed);
    }

    @Test
    void aFlowWhoseTriggerCannotFireIsSaidNotToStart() throws IOException {
        StringBuilder file = new StringBuilder("Nodes 25\nConnections 46\n");
        for (int i = 1; i < 24; i++) {
            file.append(
                    "%d->0 id %d start 0 size 262144 send_done_trigger %d\n".formatted(i, i, i));
        }
        for (int i = 1; i < 24; i++) {
            file.append("0->24 id %d trigger %d size 4096\n".formatted(23 + i, i));
        }
        Path flows = Files.writeString(directory.resolve("loss.cm"), file);

        Command text = sim(LOSSY + "--hosts 25 --flows " + flows);
        Command json = sim(LOSSY + "--hosts 25 --json --flows " + flows);

        assertThat(text.status()).isEqualTo(1);
        int failed = (int) number(json, "flows_failed");
        assertThat(failed).isPositive();
        assertThat(number(json, "flows_not_started")).isEqualTo(failed);
        assertThat(number(json, "flows_done")).isEqualTo(46 - 2 * failed);
        assertThat(text.out())
                .contains(
                        " %d of 46 flows failed\n".formatted(failed),
                        " %d of 46 flows did not start: the flows that start them failed\n"
                                .formatted(failed));
    }

    @Test
    void aTriggeredFlowIsTimedFromItsTrigger() throws IOException {
        String one = "0->1 id 1 start 0 size 400000";
        Path alone = Files.writeString(directory.resolve("one.cm"), "Nodes 4\n" + one + "\n");
        Path both =
                Files.writeString(
                        directory.resolve("two.cm"),
                        "Nodes 4\n%s send_done_trigger 7\n2->3 id 2 trigger 7 size 400000\n"
                                .formatted(one));

        double first = number(sim("--tiers 1 --hosts 4 --json --flows " + alone), "t_max");
        Command run = sim("--tiers 1 --hosts 4 --json --flows " + both);

        // The second takes as long as the first; together they take twice that.
        assertThat(number(run, "t_min")).isEqualTo(first);
        assertThat(number(run, "t_max")).isEqualTo(first);
        assertThat(number(run, "simulated_us")).isCloseTo(2 * first, within(0.001));
    }

    @Test
    void theFlowFileOnThePageIsTheFileThatItsExampleRuns() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/sim.md"));
        String file = Files.readString(ROOT.resolve("docs/flows/relay.cm"));

        assertThat(page).contains("```text\n" + file + "```\n");
        assertThat(page).contains("--flows docs/flows/relay.cm\n");
    }

    @Test
    void marksAndNotificationsOfCongestionControlAreCounted() {
        String incast = "--tiers 1 --hosts 4 --pattern incast --senders 3 --size 2M --rate 40";

        Command text = sim(incast + " --cc published");
        Command json = sim(incast + " --cc published --json");

        assertThat(text.status()).as(text.err()).isZero();
        double marked = number(json, "packets_marked");
        double sent = number(json, "cnps_sent");
        double received = number(json, "cnps_received");
        assertThat(marked).isPositive();
        assertThat(sent).isPositive().isLessThanOrEqualTo(marked);
        // A notification may still be on its way at the end.
        assertThat(received).isPositive().isLessThanOrEqualTo(sent);
        assertThat(text.out())
                .contains(
                        " packets marked %s; CNPs sent %s, received %s; cuts "
                                .formatted(
                                        Texts.count((long) marked),
                                        Texts.count((long) sent),
                                        Texts.count((long) received)));
        Command without = sim(incast);
        assertThat(without.out()).doesNotContain("marked", "CNP");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "--rate 400 --cc published => which are for 40 Gb/s, not for 400 Gb/s",
                "--rate 10 --cc published => which are for 40 Gb/s, not for 10 Gb/s",
                "--rate 400 --cc production --xoff 500K => pause from 1,024,000 bytes",
                "--rate 40 --cc published =>",
                "--rate 400 --cc production =>",
                "--rate 400 --xoff 500K =>",
            })
    void aWarningIsOnStderrAndInTheResult(String flags, @Nullable String warning) {
        String incast = "--tiers 1 --hosts 3 --pattern incast --senders 2 --size 64K ";

        Command text = sim(incast + flags);
        Command json = sim(incast + flags + " --json");

        assertThat(text.status()).isZero();
        if (warning == null) {
            assertThat(text.err()).isEmpty();
            assertThat(text.out() + json.out()).doesNotContain("warning");
        } else {
            assertThat(text.err()).startsWith("warning: ").contains(warning);
            assertThat(text.out()).contains("\n warning: ").contains(warning);
            assertThat(json.out()).contains("\"warning\":\"").contains(warning);
        }
    }

    @Test
    void lengthsOfQueuesHaveSuffixes() {
        String incast = "--tiers 1 --hosts 4 --pattern incast --senders 3 --size 2M --json --cc";

        Command suffixes = sim(incast + " production --mark 400K,1600K,0.2");
        Command digits = sim(incast + " production --mark 409600,1638400,0.2");
        Command others = sim(incast + " production --mark 40K,1600K,0.2");

        assertThat(suffixes.status()).as(suffixes.err()).isZero();
        assertThat(number(suffixes, "packets_marked")).isPositive();
        assertThat(suffixes.out()).isEqualTo(digits.out()).isNotEqualTo(others.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "--mtu 4K => --mtu 4096",
                "--cc production --cc-set rp_byte_reset=64K =>"
                        + " --cc production --cc-set rp_byte_reset=65536",
                "--buffer 1M --xoff 100k => --buffer 1048576 --xoff 102400",
            })
    void numbersOfBytesHaveSuffixes(String suffixes, String digits) {
        String incast = "--tiers 1 --hosts 4 --pattern incast --senders 3 --size 1M --json ";

        Command run = sim(incast + suffixes);

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo(sim(incast + digits).out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "--fabric ib --spread spray => --spread spray has no effect with --fabric ib:"
                        + " InfiniBand",
                "--fabric ib --cc published => --cc has no effect with --fabric ib: it is RoCE",
                "--fabric ib --cc-set rp_ai_rate=5 => --cc-set has no effect with --fabric ib",
                "--fabric ib --mark 5K,200K,0.01 => --mark has no effect with --fabric ib",
                "--fabric ib --lossy => --lossy has no effect with --fabric ib: InfiniBand",
                "--fabric ib --lossless 3 => --lossless has no effect with --fabric ib",
                "--fabric ib --xoff 100K => --xoff has no effect with --fabric ib: InfiniBand",
                "--fabric ib --dscp 26 => --dscp has no effect with --fabric ib: InfiniBand",
                "--store-and-forward => --store-and-forward has no effect with --fabric roce",
                "--lossy --xoff 100K => --xoff has no effect with --lossy",
                "--lossy --lossless 3 => --lossless has no effect with --lossy",
                "--senders 4 => --senders has no effect with --pattern permutation",
                "--pattern incast --by 4 => --by has no effect with --pattern incast",
                "--every 5 => --every has no effect without --series",
                "--topology f.net => --hosts has no effect with --topology: the file",
                "--topology f.net --tiers 2 => --tiers has no effect with --topology",
                "--topology f.net --chain 2 => --chain has no effect with --topology",
                "--chain 2 --radix 8 => --radix has no effect with --chain: it shapes a tree",
                "--mark 5K,200K,0.01 => --mark has no effect without --cc",
                "--cc-set rp_ai_rate=5 => --cc-set has no effect without --cc",
                "--dscp 64 => --dscp 64: use 0 to 63",
                "--cc published --mark 5K,200K => --mark 5K,200K: write it as 400K,1600K,0.2",
                "--cc published --mark 5K,x,1 => --mark 5K,x,1: 'x' is not a number of bytes",
                "--cc published --mark 5K,6K,y => --mark 5K,6K,y: write it as 400K,1600K,0.2",
                "--cc published --cc-set rp_ai_rate=4K => --cc-set rp_ai_rate=4K: not a number",
                "--counters leaf-77 => no \"leaf-77\"",
                "--size -1 => '-1' is not a number of bytes",
                "--spread spray --one-hash => --one-hash has no effect with --spread spray",
                "--flowlet-gap 5 => --flowlet-gap has no effect with --spread ecmp",
                "--spread flowlet --flowlet-gap 0 => --flowlet-gap 0.0: use 0.000001",
                "--repair -1 => --repair -1.0: use 0 to",
                "--one-lane => --one-lane has no effect without cycles",
                "--watchdog shoot => --watchdog shoot: write it as drop, forward or alert",
                "--watchdog drop:99/200 => a watchdog that detects in 99 ms",
                "--fabric ib --watchdog drop => InfiniBand has no pauses to watch",
                "--fault host-0=storm:9 => use a priority, 0 to 7",
            })
    void anOptionWithoutEffectIsRefusedInOneLine(String words, String expected) {
        Command run = sim("--hosts 4 --size 4K " + words);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err())
                .startsWith("verbena sim: ")
                .contains(expected)
                .endsWith("; see verbena sim --help\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--pattern shift", "--size 1M", "--senders 3", "--by 2", "--jitter 5"})
    void anOptionForPatternsIsRefusedBesideAFlowFile(String words) throws IOException {
        Path flows = Files.writeString(directory.resolve("a.cm"), "Nodes 2\n0->1 size 4096\n");

        Command run = sim("--hosts 2 --flows " + flows + " " + words);

        assertThat(run.status()).isEqualTo(2);
        String option = words.substring(0, words.indexOf(' '));
        assertThat(run.err())
                .startsWith("verbena sim: " + option + " has no effect with --flows")
                .endsWith("; see verbena sim --help\n");
    }

    @Test
    void aFileThatDoesNotExistIsNamedInOneLine() {
        Command run = sim("--hosts 2 --flows " + directory.resolve("none.cm"));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo("verbena sim: no file %s\n".formatted(directory.resolve("none.cm")));
    }

    private static Command sim(String words) {
        return Command.run(
                Stream.concat(Stream.of("sim"), Stream.of(words.split(" ", -1))).toArray());
    }

    private static double number(Command run, String field) {
        Matcher found = Pattern.compile("\"" + field + "\":([-0-9.E]+)").matcher(run.out());
        assertThat(found.find()).as("%s in %s%s", field, run.out(), run.err()).isTrue();
        return Double.parseDouble(found.group(1));
    }

    private static List<String> matches(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map(it -> it.group()).toList();
    }
}
