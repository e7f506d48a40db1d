package dev.verbena.transport.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import org.junit.jupiter.api.Test;

class PriorityMapTest {
    private static final Address PEER =
            Address.multicast(Gid.parse("ff0e::1"), 0)
                    .withServiceLevel(5)
                    .withTrafficClass(26 << 2);

    @Test
    void priorityIsTheServiceLevelUnlessTheDscpIsTrusted() {
        assertThat(PriorityMap.BY_SERVICE_LEVEL.of(PEER)).isEqualTo(5);
        assertThat(PriorityMap.BY_DSCP.of(PEER)).isEqualTo(3);
    }

    @Test
    void aDscpCanHaveAPriorityOfItsOwn() {
        PriorityMap map = PriorityMap.BY_DSCP.with(26, 4);
        assertThat(map.of(PEER)).isEqualTo(4);
        assertThat(map.of(PEER.withTrafficClass(25 << 2 | 3))).isEqualTo(3);
        assertThat(PriorityMap.BY_SERVICE_LEVEL.with(26, 4)).isEqualTo(map);
        assertThatThrownBy(() -> map.with(64, 0)).hasMessageContaining("0 to 63");
    }
}
