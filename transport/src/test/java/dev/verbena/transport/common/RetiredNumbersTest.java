package dev.verbena.transport.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetiredNumbersTest {
    private static final int MOST = 1 << 10;

    private final RetiredNumbers numbers = new RetiredNumbers(MOST);

    @Test
    void numbersAreKeptUntilManyOthersHaveCome() {
        for (int i = 0; i < MOST; i++) {
            numbers.add(1000 + i);
        }
        assertThat(numbers.has(1000)).isTrue();
        assertThat(numbers.has(999 + MOST)).isTrue();

        numbers.add(7);
        assertThat(numbers.has(1000)).isFalse();
        assertThat(numbers.has(1001)).isTrue();
        assertThat(numbers.has(7)).isTrue();
        numbers.add(8);
        assertThat(numbers.has(1001)).isFalse();
    }

    @Test
    void noOtherNumbersAreKept() {
        assertThat(numbers.has(1)).isFalse();
        for (int i = 0; i < 100; i++) {
            numbers.add(2 * i);
        }
        for (int i = 0; i < 100; i++) {
            assertThat(numbers.has(2 * i)).isTrue();
            assertThat(numbers.has(2 * i + 1)).isFalse();
        }
    }
}
