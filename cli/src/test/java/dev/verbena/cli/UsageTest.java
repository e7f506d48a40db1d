package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/// Usage errors and help texts of all commands.
@Tag("command")
class UsageTest {
    static List<String> commands() {
        return Main.commandLine().getSubcommands().entrySet().stream()
                .filter(it -> !it.getValue().getCommandSpec().usageMessage().hidden())
                .map(it -> it.getKey())
                .toList();
    }

    private static Command run(String words) {
        return Command.run((Object[]) words.split(" ", -1));
    }

    private static void assertUsageError(Command run, String name) {
        assertThat(run.status()).as(run.err()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err())
                .startsWith(name + ": ")
                .doesNotContain("Usage:")
                .endsWith("; see " + name + " --help\n");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void anUnknownOptionIsOneLineThatNamesTheHelp(String command) {
        // rping and perf also lack arguments here, which picocli reports first.
        Command run = run(command + " --no-such-option");

        assertUsageError(run, "verbena " + command);
    }

    @Test
    void anUnknownOptionOfSimHasTheNearestOneBesideIt() {
        Command run = run("sim --host 4");

        assertUsageError(run, "verbena sim");
        assertThat(run.err()).contains("'--host'", "did you mean --hosts?");
    }

    @Test
    void anUnknownCommandIsOneLineWithTheNearestOne() {
        Command run = run("simm");

        assertUsageError(run, "verbena");
        assertThat(run.err()).contains("'simm'", "did you mean sim?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "decode => verbena decode: Missing required parameter: 'FILE'",
                "decode --qp twelve x.pcap => --qp twelve is not a number",
                "doctor --root /proc/self/fd => neither /proc nor /sys",
                "explain hello => 'hello'",
                "lint nowhere.json => no file nowhere.json",
                "lint --dscp 64 x => --dscp 64: out of range; use 0 to 63",
                "perf write => 'bw|lat'",
                "perf write bw -s 1Q => '1Q' is not a number of bytes",
                "perf write bw -m 3G => '3G' is more than 2147483647 bytes",
                "perf write bw -q 0 => -q 0: out of range; use 1 to 65536",
                "perf write bw --bind here => --bind here: not an IPv4 or IPv6 address",
                "perf write bw --loopback --perftest => --loopback",
                "pingpong -n 0 => -n 0: at least 1",
                "pingpong --bind here => --bind here: not an IPv4 or IPv6 address",
                "replay nowhere.goal => no file nowhere.goal",
                "replay => no FILE: name a GOAL schedule",
                "replay --groups x y => --groups has no effect without --chakra",
                "replay --chakra nowhere => --chakra nowhere: no file nowhere.0.et",
                "replay --limit -1 x => --limit -1: use 0 to 1,000,000,000,000 us",
                "rping -s => '-a=ADDRESS'",
                "rping -a 192.0.2.1 => (-s | -c)",
                "rping -c -a 192.0.2.1 -S 0 => -S 0: out of range; use 1 to 1073741824",
                "rping -c -a 192.0.2.1 -S 3G => -S 3221225472: out of range",
                "rping -c -a 192.0.2.1 -C 0 => -C 0: at least 1",
                "rping -s -a here => -a here: not an IPv4 or IPv6 address",
                "sim --fabric atm => ROCE, IB",
                "sim --size 1Q => '1Q' is not a number of bytes",
            })
    void aWrongValueIsOneLineThatNamesIt(String words, String expected) {
        Command run = run(words);

        assertUsageError(run, "verbena " + words.substring(0, (words + " ").indexOf(' ')));
        assertThat(run.err()).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-m 4K", "-I 1K"})
    void numbersOfBytesOfPerfHaveSuffixes(String words) {
        Command run = run("perf write bw --bind here " + words);

        assertThat(run.err()).contains("--bind here").doesNotContain("Invalid value");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandPrintsItsHelp(String command) {
        for (String option : List.of("-h", "--help")) {
            Command run = run(command + " " + option);

            assertThat(run.status()).as(run.err()).isZero();
            assertThat(run.err()).isEmpty();
            assertThat(run.out()).startsWith("Usage: verbena " + command + " ");
        }
    }

    static Stream<CommandLine> all() {
        CommandLine verbena = Main.commandLine();
        return Stream.concat(
                Stream.of(verbena),
                commands().stream().map(it -> verbena.getSubcommands().get(it)));
    }

    @ParameterizedTest
    @MethodSource("all")
    void aHelpTextFitsEightyColumns(CommandLine command) {
        String help = command.getUsageMessage(CommandLine.Help.Ansi.OFF);

        assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    /// An option is described by a sentence with its own subject: "Cable length", not "Of every
    /// cable".
    @ParameterizedTest
    @MethodSource("all")
    void aDescriptionStartsWithANounOrAVerb(CommandLine command) {
        for (var option : command.getCommandSpec().options()) {
            assertThat(option.description()).as(option.longestName()).isNotEmpty();
            assertThat(option.description()[0])
                    .as(option.longestName())
                    .doesNotContainPattern(
                            "(?i)^(roce: |ib: |incast: |shift:"
                                    + " )?(of|what|who|whose|which|that)\\b");
        }
    }
}
