package dev.verbena.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChoicesTest {
    private static final int DRAWS = 2_000;

    private enum Colour {
        RED,
        GREEN,
        BLUE
    }

    private final Choices choices = Choices.from(7);

    @Test
    void makesTheSameChoicesForTheSameSeed() {
        assertThat(draw(Choices.from(42))).isEqualTo(draw(Choices.from(42)));
        assertThat(draw(Choices.from(42))).isNotEqualTo(draw(Choices.from(43)));
    }

    @Test
    void keepsTheParentStreamWhenASplitStreamIsDrawnFrom() {
        Choices quiet = Choices.from(9);
        Choices busy = Choices.from(9);
        quiet.split();
        busy.split().bytes(100);
        assertThat(draw(quiet)).isEqualTo(draw(busy));
    }

    @Test
    void drawsNoMoreBitsThanAskedAndUsesTheTopOne() {
        for (int count = 0; count < 64; count++) {
            long seen = 0;
            for (int i = 0; i < 64; i++) {
                seen |= choices.bits(count);
            }
            assertThat(seen).isEqualTo((1L << count) - 1);
        }
        assertThatThrownBy(() -> choices.bits(65)).hasMessage("65 bits: must be 0 to 64");
    }

    @Test
    void reachesBothEndsOfARange() {
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < DRAWS; i++) {
            seen.add(choices.between(-1, 2));
        }
        assertThat(seen).containsExactlyInAnyOrder(-1, 0, 1, 2);
        assertThat(choices.between(5, 5)).isEqualTo(5);
        assertThat(choices.between(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(choices.between(Long.MAX_VALUE - 3, Long.MAX_VALUE)).isPositive();
        assertThatThrownBy(() -> choices.between(2, 1)).hasMessage("nothing lies between 2 and 1");
    }

    @Test
    void neverHappensAtChanceZeroAndAlwaysAtOne() {
        int heads = 0;
        for (int i = 0; i < DRAWS; i++) {
            assertThat(choices.chance(0)).isFalse();
            assertThat(choices.chance(1)).isTrue();
            heads += choices.chance(0.25) ? 1 : 0;
        }
        assertThat(heads).isBetween(DRAWS / 5, DRAWS * 3 / 10);
        assertThatThrownBy(() -> choices.chance(Double.NaN)).hasMessageContaining("NaN");
    }

    @Test
    void picksEveryOption() {
        EnumSet<Colour> colours = EnumSet.noneOf(Colour.class);
        Set<String> words = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            colours.add(choices.pick(Colour.class));
            words.add(choices.pick("one", "two"));
            words.add(choices.pick(List.of("three", "four")));
        }
        assertThat(colours).containsExactly(Colour.values());
        assertThat(words).containsExactlyInAnyOrder("one", "two", "three", "four");
    }

    @Test
    void meetsTheEdgesOfAField() {
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < DRAWS; i++) {
            seen.add(choices.interesting(24));
        }
        assertThat(seen).contains(0L, 1L, 0xFF_FFFFL, 0xFF_FFFEL, 0x80_0000L, 0x7F_FFFFL, 0x101L);
        assertThat(seen).allMatch(value -> value >>> 24 == 0);
        assertThat(choices.interesting(1)).isBetween(0L, 1L);
        assertThatThrownBy(() -> choices.interesting(0)).hasMessage("0 bits: must be 1 to 64");
    }

    @Test
    void drawsByWeight() {
        int[] seen = new int[3];
        for (int i = 0; i < DRAWS; i++) {
            seen[choices.weighted(3, 0, 1)]++;
        }
        assertThat(seen[1]).isZero();
        assertThat(seen[0]).isBetween(seen[2] * 2, seen[2] * 4);
        assertThatThrownBy(() -> choices.weighted(0, 0)).hasMessage("no weight is above 0");
        assertThatThrownBy(() -> choices.weighted(1, -1)).hasMessage("weight -1 is negative");
    }

    private static List<Object> draw(Choices choices) {
        List<Object> drawn = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            drawn.add(choices.bits(17));
            drawn.add(choices.between(0, 1000));
            drawn.add(choices.chance(0.5));
            drawn.add(choices.pick(Colour.class));
            drawn.add(List.of(choices.bytes(3)[2]));
            drawn.add(choices.interesting(32));
            drawn.add(choices.weighted(1, 2, 3));
        }
        return drawn;
    }
}
