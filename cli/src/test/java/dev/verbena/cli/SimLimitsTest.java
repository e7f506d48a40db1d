package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What NICs and buffers limit in `verbena sim`.
@Tag("command")
class SimLimitsTest {
    @TempDir Path directory;

    private static Command sim(String arguments) {
        return Command.run((Object[]) ("sim " + arguments).split(" ", -1));
    }

    private static double number(Command run, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":([0-9.E]+)").matcher(run.out());
        assertThat(found.find()).as(name + " in " + run.out() + run.err()).isTrue();
        return Double.parseDouble(found.group(1));
    }

    private String flows(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(file, text);
        return " --flows " + file;
    }

    @Test
    void aThousandSmallMessagesTakeAThousandTimesTheGapOfTheNic() throws IOException {
        StringBuilder text = new StringBuilder("Nodes 2\nConnections 1000\n");
        for (int i = 1; i <= 1000; i++) {
            text.append("0->1 id ").append(i).append(" start 0 size 8\n");
        }
        Command run =
                sim("--tiers 1 --hosts 2 --nic-rate 1 --json" + flows("many.cm", text.toString()));

        assertThat(number(run, "t_max")).isBetween(999.0, 1010.0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--hosts 64 --senders 63 --size 4M --length 300",
                "--hosts 64 --senders 63 --size 1M --buffer 4M",
                "--hosts 4 --senders 3 --size 16M --rate 800 --length 600 --xoff 1M"
            })
    void aLosslessFabricDropsNothing(String incast) {
        Command run = sim("--tiers 1 --pattern incast --json " + incast);

        assertThat(number(run, "drops")).isZero();
        assertThat(number(run, "pause_frames")).isPositive();
        assertThat(run.err()).isEmpty();
    }

    @Test
    void lessHeadroomThanACableNeedsIsWarnedOfAndDrops() {
        String incast =
                "--tiers 1 --hosts 4 --pattern incast --senders 3 --size 16M --rate 800"
                        + " --length 600 --xoff 1M --json";
        Command run = sim(incast + " --headroom 300K");

        assertThat(run.err())
                .matches(
                        "warning: --headroom 307,200 is less than the 6\\d\\d,\\d\\d\\d bytes"
                                + " that may arrive after a pause: a lossless priority may drop"
                                + " packets\\R");
        assertThat(number(run, "drops")).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"swift", "nscc", "swift --cc-set beta=0.5"})
    void otherControllersKeepTheLineWithoutPauses(String control) {
        Command run =
                sim(
                        "--tiers 1 --hosts 33 --pattern incast --senders 32 --size 1M --json --cc "
                                + control);

        assertThat(number(run, "pause_frames")).isZero();
        assertThat(number(run, "BW_average")).isBetween(360.0, 400.0);
        assertThat(number(run, "packets_marked") > 0).isEqualTo(control.equals("nscc"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--cc bbr                     | use adapter, production, published, nscc, swift",
                "--cc swift --cc-set gamma=1  | swift has no parameter 'gamma'",
                "--cc nscc --cc-set gamma=x   | --cc-set gamma=x: not a number",
                "--cc nscc --cc-set gamma=0   | nscc's gamma is out of range"
            })
    void aControllerThatCannotBeHadIsRefused(String flags, String answer) {
        Command run = sim("--hosts 4 " + flags.strip());

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(answer);
    }

    @Test
    void moreHeadroomThanBufferIsRefused() {
        Command run = sim("--tiers 1 --hosts 64 --length 300 --lossless 0,1,2,3,4,5,6,7");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("leaf 0 has 67,108,864 bytes of buffer, and its ports need");
    }

    @Test
    void aBusyNicIsNotFasterThanAnIdleOne() throws IOException {
        String small = "0->2 id 2 start 10000000 size 8\n";
        String bulk = "0->1 id 1 start 0 size 10000000\n";
        String shape = "--tiers 1 --hosts 4 --nic-latency 5000 --json";
        Command idle = sim(shape + flows("idle.cm", "Nodes 4\nConnections 1\n" + small));
        Command busy = sim(shape + flows("busy.cm", "Nodes 4\nConnections 2\n" + bulk + small));

        assertThat(number(busy, "t_min")).isGreaterThanOrEqualTo(number(idle, "t_min"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"4224", "64", "8K"})
    void aLaneOfOnePacketWorksAndASmallerOneIsRefused(String buffer) {
        Command run =
                sim(
                        "--fabric ib --tiers 1 --hosts 8 --pattern incast --senders 7 --size 64K"
                                + " --json --buffer "
                                + buffer);

        if (buffer.equals("64")) {
            assertThat(run.status()).isEqualTo(2);
            assertThat(run.err())
                    .contains("the buffer of a lane has 64 bytes, and the largest packet 4,182");
        } else {
            assertThat(run.status()).as(run.err()).isZero();
            assertThat(number(run, "flows_done")).isEqualTo(7);
        }
    }
}
