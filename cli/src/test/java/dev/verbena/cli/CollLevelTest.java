package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CollLevelTest {
    private static final Pattern ROW =
            Pattern.compile("^ +65536 +\\d+ +float +sum +-1 +([0-9.]+)", Pattern.MULTILINE);

    private static double us(Command run) {
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        Matcher row = ROW.matcher(run.out());
        assertThat(row.find()).as(run.out()).isTrue();
        return Double.parseDouble(row.group(1));
    }

    @ParameterizedTest
    @CsvSource({"roce", "ib"})
    void flowsTakeTheTimeOfPackets(String kind) {
        String[] words = {
            "coll",
            "all_reduce",
            "--fabric",
            kind,
            "--hosts",
            "8",
            "--length",
            "10",
            "-b",
            "64K",
            "-e",
            "64K",
            "--level",
            "packet"
        };
        double packet = us(Command.run((Object[]) words));
        words[words.length - 1] = "flow";
        Command flow = Command.run((Object[]) words);
        assertThat(us(flow)).isBetween(0.95 * packet, 1.05 * packet);
        assertThat(flow.out()).contains("# as flows").doesNotContain("outside");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--xoff 1000000|leave out --xoff",
                "--cc published|leave out --cc",
                "--lossy|leave out --lossy",
                "--buffer 1M|leave out --buffer",
                "--dscp 8|leave out --dscp",
                "--qp-timeout 12|leave out --qp-timeout",
                "--spread spray|use ecmp, weighted or fixed"
            })
    void whatFlowsDoNotHaveIsRefusedInOneLine(String flag, String remedy) {
        Object[] words =
                ("coll all_reduce --fabric roce --hosts 4 --level flow " + flag).split(" ");
        Command run = Command.run(words);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err().lines().findFirst().orElse("")).contains(remedy);
    }

    @Test
    void aLevelIsOfASimulation() {
        Command run = Command.run("coll", "all_reduce", "--level", "flow");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("use --fabric roce or ib");
    }

    @Test
    void whatIsOutsideTheCheckedCasesIsSaid() {
        Command far =
                Command.run(
                        "coll",
                        "all_reduce",
                        "--fabric",
                        "ib",
                        "--hosts",
                        "4",
                        "--level",
                        "flow",
                        "-b",
                        "1K",
                        "-e",
                        "1K",
                        "--length",
                        "200");
        assertThat(far.out()).contains("outside what was checked: credits");
        Command many =
                Command.run(
                        "coll",
                        "alltoall",
                        "--fabric",
                        "ib",
                        "--hosts",
                        "20",
                        "--level",
                        "flow",
                        "-b",
                        "1M",
                        "-e",
                        "1M",
                        "--length",
                        "10");
        assertThat(many.out()).contains("outside what was checked: many senders");
    }
}
