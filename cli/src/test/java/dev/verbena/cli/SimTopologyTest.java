package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The fabric that `verbena sim` builds for a number of hosts, and what it prints of it.
class SimTopologyTest {
    /// A shift of short messages, with options as on a command line.
    private static Command sim(String options) {
        List<String> words = new ArrayList<>(List.of("sim"));
        words.addAll(List.of(options.split(" ", -1)));
        if (!words.contains("--size")) {
            words.addAll(List.of("--size", "4K"));
        }
        if (!words.contains("--pattern")) {
            words.addAll(List.of("--pattern", "shift"));
        }
        return Command.run(words.toArray());
    }

    private static String built(String options) {
        Command run = sim(options);
        assertThat(run.status()).as(run.err()).isZero();
        return run.out();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--hosts 16 | single switch: 16 hosts, 1 switch, 16 cables, 48 free ports",
                "--hosts 64 | single switch: 64 hosts, 1 switch, 64 cables, 0 free ports",
                "--hosts 65 | fat tree of 2 tiers: 65 hosts, 5 switches, 131 cables, "
                        + "123 free ports",
                "--hosts 100 | fat tree of 2 tiers: 100 hosts, 6 switches, 204 cables, "
                        + "76 free ports",
                "--hosts 256 | fat tree of 2 tiers: 256 hosts, 12 switches, 512 cables, "
                        + "0 free ports",
                "--hosts 256 --oversubscription 2 | fat tree of 2 tiers: 256 hosts, 10 switches, "
                        + "384 cables, 128 free ports",
                "--hosts 16 --tiers 2 | fat tree of 2 tiers: 16 hosts, 3 switches, 32 cables, "
                        + "144 free ports",
                "--hosts 16 --tiers 3 | fat tree of 3 tiers: 16 hosts, 5 switches, 48 cables, "
                        + "240 free ports",
                "--hosts 128 --tiers 3 --radix 8 | fat tree of 3 tiers: 128 hosts, 80 switches, "
                        + "384 cables, 0 free ports",
                "--hosts 7 --chain 3 | chain: 7 hosts, 3 switches, 9 cables, 4 free ports"
            })
    void exactlyTheHostsAskedForAreBuiltOfTheFewestSwitches(String options, String line) {
        assertThat(built(options)).startsWith(" " + line + "\n");
    }

    @Test
    void theTiersOfATreeArePrintedWithTheirCablesAndFreePorts() {
        assertThat(built("--hosts 100"))
                .contains(
                        """
                           4 leaves: 25 hosts and 26 uplinks each, 13 to each spine; \
                        13 of 64 ports free
                           2 spines: 52 downlinks each; 12 of 64 ports free
                        """);
        assertThat(built("--hosts 1000 --tiers 3 --radix 16"))
                .contains(
                        """
                           125 leaves, 8 in a pod: 8 hosts and 8 uplinks each, \
                        1 to each aggregation; 0 of 16 ports free
                           the last pod has 5 leaves
                           128 aggregations, 8 in a pod: 8 downlinks and 8 uplinks each, \
                        1 to each of 8 cores; 0 of 16 ports free
                           64 cores: 16 downlinks each; 0 of 16 ports free
                        """);
        assertThat(built("--hosts 101")).contains("\n   the last leaf has 23 hosts\n");
    }

    @Test
    void theResultAsJsonHasCablesAndFreePorts() {
        assertThat(built("--hosts 100 --json"))
                .contains("\"hosts\":100,\"switches\":6,\"cables\":204,\"free_ports\":76,");
    }

    @Test
    void moreSendersThanOtherHostsAreRefused() {
        Command run = sim("--hosts 256 --pattern incast --senders 300");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("300 senders of 256 hosts: use 1 to 255");

        Command none = sim("--hosts 256 --pattern incast --senders 0");
        assertThat(none.status()).isEqualTo(2);
        assertThat(none.err()).contains("0 senders of 256 hosts: use 1 to 255");
    }

    @Test
    void withoutANumberOfSendersASmallFabricUsesAllItsHosts() {
        assertThat(built("--hosts 8 --pattern incast")).contains("incast: 7 flows");
        assertThat(built("--hosts 64 --pattern incast")).contains("incast: 32 flows");
    }

    @ParameterizedTest
    @CsvSource({"2:1,2", "4:2,2", "1:1,1", "3:2,1.5"})
    void oversubscriptionIsARatioOrANumber(String ratio, String number) {
        String tree = "--hosts 256 --oversubscription ";
        assertThat(built(tree + ratio)).isEqualTo(built(tree + number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"two", "2:", ":1", "2:0", "0", "-1", "1:2:3", "NaN", "1e999"})
    void whatIsNoRatioIsRefused(String ratio) {
        Command run = sim("--hosts 256 --oversubscription=" + ratio);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("'" + ratio + "'").contains("2:1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--hosts 100000 | 100,000 hosts: 3 tiers of 64-port switches have room for "
                        + "2 to 65,536",
                "--hosts 3000 --tiers 2 | 3,000 hosts: 2 tiers of 64-port switches have room for "
                        + "2 to 2,048",
                "--hosts 65 --tiers 1 | 65 hosts: 1 tier of 64-port switches has room for 2 to 64",
                "--hosts 1 | 1 hosts: 1 tier of 64-port switches has room for 2 to 64",
                "--hosts 16 --tiers 4 | 4 tiers: use 1, 2 or 3",
                "--hosts 16 --radix 1 | switches of 1 ports: use 2 to 1,024",
                "--fabric ib --hosts 300 --radix 300 | an InfiniBand switch has at most 254 ports, "
                        + "not 300"
            })
    void whatCannotBeBuiltIsRefusedWithTheLimit(String options, String reason) {
        Command run = sim(options);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fabric ib", "--spread fixed"})
    void aShiftOnThreeTiersIsAtFullRate(String kind) {
        String tree = " --hosts 1024 --tiers 3 --radix 16 --by 512 --size 256K --json";
        double us = us(built(kind + tree), "t_max");
        // 64 packets of some 4,200 bytes at 400 Gb/s take 5.4 us; six cables of 100 ns and five
        // switches of at most 500 ns, there and back, some 3 to 7 us; 5 more packets of storing.
        assertThat(us).isLessThan(kind.contains("ib") ? 8.7 : 12.5);
    }

    @Test
    void aPermutationOnInfiniBandUsesTheWholeCore() {
        String tree = "--hosts 1024 --tiers 3 --radix 16 --pattern permutation --size 256K --json";
        double hashed = us(built(tree), "t_50");
        double byTable = us(built("--fabric ib " + tree), "t_50");
        assertThat(byTable).isLessThan(1.5 * hashed);
    }

    private static double us(String json, String field) {
        Matcher found = Pattern.compile("\"" + field + "\":([0-9.]+)").matcher(json);
        assertThat(found.find()).as(json).isTrue();
        return Double.parseDouble(found.group(1));
    }
}
