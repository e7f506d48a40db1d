package dev.verbena.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.subnet.ManagerSettings;
import dev.verbena.subnet.RouteRunner;
import org.junit.jupiter.api.Test;

class PracticeTest {
    @Test
    void bringsItsSubnetUpInEachTerm() {
        assertThat(Practice.run(ManagerSettings.DEFAULT, RouteRunner.IN_PLACE)).isEqualTo(6);
    }
}
