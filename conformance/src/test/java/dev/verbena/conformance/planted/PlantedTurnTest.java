package dev.verbena.conformance.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlantedTurnTest {
    private static final List<Integer> ALL = IntStream.range(0, 146).boxed().toList();

    @Test
    void onePartIsEverything() {
        assertThat(PlantedTurn.parse("457/1").of(ALL)).isEqualTo(ALL);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 146, 200})
    void asManySuccessiveCountsAsPartsTryEveryBugOnce(int parts) {
        for (int first = 0; first < 2 * parts; first++) {
            List<Integer> tried = new ArrayList<>();
            for (int count = first; count < first + parts; count++) {
                tried.addAll(PlantedTurn.parse(count + "/" + parts).of(ALL));
            }
            assertThat(tried).containsExactlyInAnyOrderElementsOf(ALL);
        }
    }

    @Test
    void partsDifferByOneBugAtMost() {
        assertThat(PlantedTurn.parse("457/3").of(List.of(0, 1, 2, 3, 4, 5, 6, 7)))
                .containsExactly(1, 4, 7);
        assertThat(PlantedTurn.parse("458/3").of(List.of(0, 1, 2, 3, 4, 5, 6, 7)))
                .containsExactly(2, 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1/0", "1", "a/b", "-1/3", "1/-3", "99999999/3", ""})
    void otherTextIsRefused(String text) {
        assertThatThrownBy(() -> PlantedTurn.parse(text))
                .isInstanceOf(PlantedException.class)
                .hasMessageContaining("use -Dplanted.turn=COUNT/PARTS");
    }
}
