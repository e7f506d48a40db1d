package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Walks through topologies by their routes.
class RouteWalkTest {
    @Test
    void aWalkPassesOneSwitchToANeighbourAndThreeToAnotherLeaf() {
        RouteWalk walk = new RouteWalk(FatTree.twoTiers(4, 4, 2).topology());
        assertThat(walk.fixed(0, 3)).isEqualTo(1);
        assertThat(walk.fixed(0, 4)).isEqualTo(3);
        assertThat(walk.spread(0, 4, _ -> 0)).isEqualTo(3);
        assertThat(walk.spread(0, 4, equal -> equal - 1)).isEqualTo(3);
    }

    @Test
    void everyPairOfATreeIsReachedByEveryKindOfRoute() {
        Topology tree = FatTree.threeTiers(3, 4).topology();
        RouteWalk walk = new RouteWalk(tree);
        SplittableRandom random = new SplittableRandom(5);
        for (int from = 0; from < tree.hosts(); from++) {
            for (int to = 0; to < tree.hosts(); to++) {
                int fixed = walk.fixed(from, to);
                assertThat(fixed).isIn(1, 3, 5);
                assertThat(walk.spread(from, to, random::nextInt)).isEqualTo(fixed);
            }
        }
    }

    @Test
    void aWalkAlongARowPassesEverySwitchOfIt() {
        Wiring wiring = new Wiring("row");
        for (int i = 0; i < 5; i++) {
            wiring.addSwitch("switch " + i, 3);
            wiring.addHost("host " + i, i, 0);
            if (i > 0) {
                wiring.join(i - 1, 2, i, 1);
            }
        }
        RouteWalk walk = new RouteWalk(wiring.topology());
        assertThat(walk.fixed(0, 4)).isEqualTo(5);
        assertThat(walk.spread(4, 0, _ -> 0)).isEqualTo(5);
    }
}
