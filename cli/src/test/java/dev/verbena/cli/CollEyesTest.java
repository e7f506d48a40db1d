package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `verbena coll` with its verdict.
@Tag("command")
class CollEyesTest {
    private static Command coll(String... more) {
        List<Object> words = new ArrayList<>(List.of("coll", "all_reduce"));
        words.addAll(List.of("--fabric", "ib", "--hosts", "8", "--radix", "8"));
        words.addAll(List.of("-b", "256K", "-e", "256K", "--verdict"));
        words.addAll(List.of(more));
        return Command.run(words.toArray());
    }

    @Test
    void namesASlowRankBelowTheTable() {
        Command run = coll("--slow-rank", "5:6x");
        assertThat(run.status()).isZero();
        assertThat(run.out()).containsPattern("busbw(?s).*# rank 5 is slow: it needed \\d+ % of");
    }

    @Test
    void namesASlowCable() {
        Command run = coll("--fault", "host-3=slow");
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains("# fault: host-3=slow")
                .contains("# the cable host 3 port 0 to leaf 0 port 3 is slow: ");
    }

    @Test
    void namesACableThatLosesPackets() {
        Command run = coll("--fault", "host-3=loss:0.02");
        assertThat(run.out())
                .contains("# the cable host 3 port 0 to leaf 0 port 3 loses packets: ");
    }

    @Test
    void saysThatNothingStandsOut() {
        assertThat(coll().out()).contains("# no rank, pair or link stands out\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8:2x | there are 8 ranks, from 0 on",
                "3:1x | it would not be slow",
                "3:0us | it would not be slow",
                "3:5s | write it as 17:4x, 17:20us or 2:5ms",
                "all:2x | write it as 17:4x, 17:20us or 2:5ms"
            })
    void refusesASlowRankThatCannotBe(String text, String why) {
        Command run = coll("--slow-rank", text);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--slow-rank " + text).contains(why);
    }

    @Test
    void liveRanksHaveNoFactorsAndNoCables() {
        Command factor = Command.run("coll", "all_reduce", "--slow-rank", "1:2x");
        assertThat(factor.status()).isEqualTo(2);
        assertThat(factor.err()).contains("a live rank sleeps for a time, as 2:5ms");
        Command fault = Command.run("coll", "all_reduce", "--fault", "host-1=slow");
        assertThat(fault.status()).isEqualTo(2);
        assertThat(fault.err()).contains("use it with --fabric");
    }
}
