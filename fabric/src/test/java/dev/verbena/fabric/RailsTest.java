package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RailsTest {
    private static final int RAILS = 4;

    private static int nic(int host, int rail) {
        return host * RAILS + rail;
    }

    @Test
    void nicsOfARailShareALeafAndOthersMeetAtASpine() {
        Topology rails = new Rails(6, RAILS, 3, 3, false).topology();
        RouteWalk walk = new RouteWalk(rails);
        for (int from = 0; from < 6; from++) {
            for (int to = 0; to < 6; to++) {
                for (int rail = 0; rail < RAILS; rail++) {
                    for (int other = 0; other < RAILS; other++) {
                        boolean isNear = rail == other && from / 3 == to / 3;
                        int passed = isNear ? 1 : 3;
                        int source = nic(from, rail);
                        int target = nic(to, other);
                        assertThat(walk.fixed(source, target)).isEqualTo(passed);
                        assertThat(walk.spread(source, target, of -> of - 1)).isEqualTo(passed);
                    }
                }
            }
        }
    }

    @Test
    void railsThatAreApartDoNotReachEachOther() {
        Topology rails = new Rails(6, RAILS, 3, 2, true).topology();
        RouteWalk walk = new RouteWalk(rails);
        assertThat(walk.fixed(nic(0, 1), nic(2, 1))).isEqualTo(1);
        assertThat(walk.fixed(nic(0, 1), nic(5, 1))).isEqualTo(3);
        assertThat(walk.fixed(nic(0, 1), nic(5, 2))).isEqualTo(RouteWalk.LOST);
        assertThat(walk.spread(nic(0, 1), nic(0, 2), _ -> 0)).isEqualTo(RouteWalk.LOST);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fixedRoutesOfARailShareNoUplink(boolean apart) {
        int perLeaf = 4;
        Topology rails = new Rails(8, RAILS, perLeaf, perLeaf, apart).topology();
        FixedRoutes routes = rails.fixedRoutes();
        for (int rail = 0; rail < RAILS; rail++) {
            int leaf = rails.switchOf(nic(0, rail));
            Set<Integer> ports = new HashSet<>();
            for (int host = perLeaf; host < 8; host++) {
                ports.add(routes.port(leaf, nic(host, rail)));
            }
            assertThat(ports).hasSize(perLeaf);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void packetsToAnotherRailThatIsApartAreCountedAsUnreachable(String kind) {
        FabricSettings settings = kind.equals("ib") ? Anchor.infiniBand() : Anchor.ethernet();
        Fabric fabric = new Fabric(new Rails(2, 2, 2, 0, true).topology(), settings);
        Stream stream = new Stream(fabric);
        stream.send(0, 3, 0, 5, 0);
        stream.send(0, 2, 0, 7, 0);
        fabric.run(1_000_000_000);
        assertThat(fabric.unreachablePackets() + fabric.counts().drops()).isEqualTo(5);
        assertThat(fabric.counters("rail 0 leaf 0").get(1).counts().values()).contains(7L);
    }

    @Test
    void theSizeFollowsFromThePortsOfASwitch() {
        assertThat(Rails.ofRadix(64, 8, 64, true)).isEqualTo(new Rails(64, 8, 64, 0, true));
        assertThat(Rails.ofRadix(128, 8, 64, false)).isEqualTo(new Rails(128, 8, 32, 32, false));
        assertThat(Rails.ofRadix(4, 8, 64, false)).isEqualTo(new Rails(4, 8, 4, 4, false));
        assertThat(Rails.ofRadix(128, 8, 64, false).topology())
                .hasToString("rails: 1,024 hosts, 64 switches, 2,048 cables, 0 free ports");
        assertThatThrownBy(() -> Rails.ofRadix(1024, 8, 64, false))
                .hasMessageContaining("use fewer hosts, rails apart, or switches of 256 ports");
        assertThatThrownBy(() -> new Rails(8, 2, 8, 0, false))
                .hasMessage("0 spines for 2 leaves: use 1 to 1,023");
    }

    @Test
    void hostsAreNamedByHostAndNic() {
        Topology rails = new Rails(2, RAILS, 2, 1, false).topology();
        assertThat(rails.hostName(nic(1, 2))).isEqualTo("host 1 nic 2");
    }
}
