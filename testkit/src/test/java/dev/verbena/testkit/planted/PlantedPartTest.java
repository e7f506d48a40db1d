package dev.verbena.testkit.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlantedPartTest {
    private static final List<Integer> ALL = List.of(0, 1, 2, 3, 4, 5, 6, 7);

    @Test
    void everythingIsTriedUnlessAPartIsAskedFor() {
        assertThat(PlantedPart.parse("1/1").of(ALL)).isEqualTo(ALL);
    }

    @Test
    void allPartsTogetherAreEverythingOnce() {
        List<Integer> together = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            together.addAll(PlantedPart.parse(i + "/3").of(ALL));
        }
        assertThat(together).containsExactlyInAnyOrderElementsOf(ALL);
        assertThat(PlantedPart.parse("2/3").of(ALL)).containsExactly(1, 4, 7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0/3", "4/3", "1/0", "1", "a/b", "-1/3", ""})
    void whatIsNoPartIsRefused(String text) {
        assertThatThrownBy(() -> PlantedPart.parse(text))
                .isInstanceOf(PlantedException.class)
                .hasMessageContaining("use -Dplanted.part=");
    }
}
