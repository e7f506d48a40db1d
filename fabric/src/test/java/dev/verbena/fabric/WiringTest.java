package dev.verbena.fabric;

import static dev.verbena.fabric.Anchor.A;
import static dev.verbena.fabric.Anchor.D;
import static dev.verbena.fabric.Anchor.P;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WiringTest {
    private static final int PACKETS = 100;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10})
    void everySwitchOfAChainAddsItsTime(int switches) {
        Topology chain = new Chain(switches, 2 * switches).topology();
        List<Flow> flow = List.of(Anchor.packets(0, chain.hosts() - 1, PACKETS));
        long way = (2 * switches + 1) * D;
        long expected = (PACKETS + switches) * P + way + (switches + 1) * A + way;

        for (FabricSettings settings : List.of(Anchor.ethernet(), Anchor.infiniBand())) {
            long ended = Anchor.run(new Fabric(chain, settings), flow).endPs(0);
            assertThat(ended).isEqualTo(expected);
        }
    }

    @Test
    void ofTwoWaysAroundARingTheShorterIsTaken() {
        Wiring ring = new Wiring("ring");
        for (int i = 0; i < 5; i++) {
            ring.addSwitch("switch " + i, 3);
            ring.addHost("host " + i, i, 0);
        }
        for (int i = 0; i < 5; i++) {
            ring.join(i, 1, (i + 1) % 5, 2);
        }
        Topology topology = ring.topology();
        long way = 7 * D;
        long twoFurther = (1 + 3) * P + way + 4 * A + way;

        for (int to : new int[] {2, 3}) {
            Fabric fabric = new Fabric(topology, Anchor.ethernet());
            long ended = Anchor.run(fabric, List.of(Anchor.packets(0, to, 1))).endPs(0);
            assertThat(ended).as("to host %d", to).isEqualTo(twoFurther);
        }
    }

    @Test
    void severalCablesBetweenTwoSwitchesAreEqualWays() {
        Wiring wiring = new Wiring("trunk");
        wiring.addSwitch("left", 8);
        wiring.addSwitch("right", 8);
        for (int i = 0; i < 4; i++) {
            wiring.addHost("left " + i, 0, i);
            wiring.addHost("right " + i, 1, i);
            wiring.join(0, 4 + i, 1, 4 + i);
        }
        FabricSettings spray =
                Anchor.ethernet()
                        .withKind(FabricKind.Ethernet.DEFAULT.withSpread(FabricKind.Spread.SPRAY));
        Fabric fabric = new Fabric(wiring.topology(), spray);
        Anchor.run(fabric, List.of(Anchor.packets(0, 1, 40)));

        for (PortCounts port : fabric.counters("left").subList(4, 8)) {
            assertThat(port.counts()).containsEntry("tx_prio0_packets", 10L);
        }
    }

    @Test
    void whatCannotBePluggedInIsRefused() {
        Wiring wiring = new Wiring("small");
        int here = wiring.addSwitch("here", 2);
        int there = wiring.addSwitch("there", 2);
        wiring.addHost("a", here, 0);
        assertThatThrownBy(() -> wiring.addHost("b", here, 0))
                .hasMessageContaining("port 0 of switch \"here\" has a cable already");
        assertThatThrownBy(() -> wiring.addHost("b", here, 2))
                .hasMessageContaining("switch \"here\" has ports 0 to 1, not 2");
        assertThatThrownBy(() -> wiring.addHost("b", 2, 0))
                .hasMessageContaining("there is no switch number 2");
        assertThatThrownBy(wiring::topology).hasMessageContaining("small has 1 hosts");
        wiring.addHost("b", there, 0);
        assertThatThrownBy(wiring::topology)
                .hasMessageContaining("no cable leads from switch \"there\" to switch \"here\"");
    }
}
