package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Faults as they are written on a command line.
class FaultTextTest {
    private static final long US = 1_000_000;
    private static final Topology TREE = FatTree.ofRadix(16, 2, 8, 1).topology();

    private static List<CableFault> parse(String text) {
        return FaultText.parse(text, TREE, 1);
    }

    @Test
    void aHostIsTheCableOfThatHost() {
        assertThat(parse("host-3=loss:0.001")).containsExactly(CableFault.loss(3, 0.001));
        assertThat(parse("leaf-0:3=slow")).containsExactly(CableFault.slow(3, 0.25));
    }

    @Test
    void timesAreMicroseconds() {
        assertThat(parse("host-3=down@10-20.5"))
                .containsExactly(CableFault.down(3, 10 * US, 20 * US + US / 2));
        assertThat(parse("host-3=slow:0.5@7-"))
                .containsExactly(CableFault.slow(3, 0.5).during(7 * US, CableFault.FOR_EVER));
    }

    @Test
    void aTierIsAllOfItsCables() {
        assertThat(parse("hosts=loss:0.1")).hasSize(16);
        assertThat(parse("uplinks=loss:0.1"))
                .hasSize(TREE.cables() - 16)
                .allMatch(it -> TREE.isUplink(it.cable()));
        assertThat(parse("all=loss:0.1")).hasSize(TREE.cables());
    }

    @Test
    void theSeedChoosesOneCable() {
        assertThat(parse("an-uplink=down"))
                .hasSize(1)
                .allMatch(it -> TREE.isUplink(it.cable()))
                .isEqualTo(parse("an-uplink=down"));
        assertThat(List.of(2, 3, 4, 5, 6, 7))
                .anyMatch(
                        seed ->
                                !FaultText.parse("a-host=down", TREE, seed)
                                        .equals(parse("a-host=down")));
    }

    @Test
    void aCableFlapsUntilItsTimeIsOver() {
        assertThat(parse("host-0=flap:20/80@100-310"))
                .containsExactly(
                        CableFault.down(0, 100 * US, 120 * US),
                        CableFault.down(0, 200 * US, 220 * US),
                        CableFault.down(0, 300 * US, 310 * US));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "down                | write it as uplinks=loss:0.001",
                "host-99=down        | no cable at 'host-99'",
                "leaf-9=down         | no cable at 'leaf-9'",
                "uplinks=loss-out:1  | a direction is that of one port",
                "host-0=ber:0.6      | at most 0.5",
                "host-0=storm:8      | use a priority, 0 to 7",
                "host-0=storm:1.5    | use a priority, 0 to 7",
                "leaf-0:99=down      | no cable at 'leaf-0:99'",
                "host-0=gone         | gone': use loss:0.001",
                "host-0=loss         | loss': use loss:0.001",
                "host-0=loss:2       | at most 1",
                "host-0=loss:NaN     | at most 1",
                "host-0=down@5       | write the time in us as @100-200",
                "host-0=down@5-5     | it must end after it has begun",
                "host-0=flap:1/2     | a cable flaps from a time until a time",
                "host-0=flap:0/2@0-9 | flap:0/2': use",
                "host-0=flap:0.000001/0.000001@0-999999 | more than 1,048,576 times down"
            })
    void aTextThatCannotBeReadIsRefusedWithARemedy(String text, String words) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("fault " + text + ": ")
                .hasMessageContaining(words);
    }

    @Test
    void aSwitchStandsForAllOfItsCables() {
        Topology tree = FatTree.twoTiers(4, 2, 4).topology();
        List<CableFault> dead = FaultText.parse("spine-1=down@5-", tree, 1);
        assertThat(dead).hasSize(2).allMatch(it -> it.kind() == CableFault.Kind.DOWN);
        assertThat(dead).allMatch(it -> tree.cable(it.cable(), 2) == 8 + 2 + 1);
        List<CableFault> hole = FaultText.parse("leaf-0=blackhole", tree, 1);
        assertThat(hole).hasSize(8).allMatch(it -> it.kind() == CableFault.Kind.LOSS);
        assertThat(hole).allMatch(it -> it.value() == 1 && it.side() == CableFault.BOTH);
    }

    @Test
    void aDirectionIsThatOfThePortThatIsNamed() {
        Topology tree = FatTree.twoTiers(4, 2, 4).topology();
        CableFault out = FaultText.parse("leaf-0:4=loss-out:1", tree, 1).getFirst();
        CableFault in = FaultText.parse("leaf-0:4=loss-in:1", tree, 1).getFirst();
        CableFault other = FaultText.parse("spine-0:0=loss-out:1", tree, 1).getFirst();
        assertThat(out.cable()).isEqualTo(in.cable());
        assertThat(out.side()).isEqualTo(1 - in.side());
        assertThat(other).isEqualTo(in);
    }
}
