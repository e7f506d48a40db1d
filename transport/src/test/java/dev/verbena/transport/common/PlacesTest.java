package dev.verbena.transport.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlacesTest {
    @Test
    void numbersStartAtZeroAndEndAtTheLimit() {
        Places places = new Places(3);
        assertThat(places.take()).isZero();
        assertThat(places.take()).isEqualTo(1);
        assertThat(places.take()).isEqualTo(2);
        assertThat(places.take()).isEqualTo(Places.NONE);
        assertThat(places.top()).isEqualTo(3);
        assertThat(places.used()).isEqualTo(3);
    }

    @Test
    void numbersGivenBackAreUsedAgainFirst() {
        Places places = new Places(100);
        for (int i = 0; i < 10; i++) {
            places.take();
        }
        for (int i = 2; i < 7; i++) {
            places.give(i);
        }
        assertThat(places.used()).isEqualTo(5);
        for (int i = 6; i >= 2; i--) {
            assertThat(places.take()).isEqualTo(i);
        }
        assertThat(places.take()).isEqualTo(10);
        assertThat(places.top()).isEqualTo(11);
        assertThat(places.used()).isEqualTo(11);
    }

    @Test
    void anArrayGrowsToTwiceItsLengthOrToThePlace() {
        assertThat(Places.grown(8, 8)).isEqualTo(16);
        assertThat(Places.grown(8, 15)).isEqualTo(16);
        assertThat(Places.grown(8, 16)).isEqualTo(17);
        assertThat(Places.grown(0, 0)).isEqualTo(1);
    }
}
