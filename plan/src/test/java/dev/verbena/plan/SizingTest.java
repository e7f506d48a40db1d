package dev.verbena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Seed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How many switches there are.
class SizingTest {
    private static final String SINGLE = " gpus-per-node=1 fabric=roce radix=";

    @ParameterizedTest
    @CsvSource({"64,2048", "128,8192", "144,10368", "256,32768", "512,131072"})
    void twoTiersHaveRoomForHalfTheSquareOfTheRadix(int radix, int most) {
        FabricPlan plan = Plans.one("gpus=" + most + SINGLE + radix);
        assertThat(plan.tiers()).isEqualTo(2);
        assertThat(plan.growth().lastGpus()).isEqualTo(most);
        assertThat(plan.growth().nextTiers()).isEqualTo(3);
        assertThat(Plans.one("gpus=" + (most + 1) + SINGLE + radix).tiers()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"64,65536,5120", "128,524288,20480"})
    void threeTiersHaveRoomForAQuarterOfTheCube(int radix, int most, int switches) {
        FabricPlan plan = Plans.one("gpus=" + most + SINGLE + radix);
        assertThat(plan.tiers()).isEqualTo(3);
        assertThat(plan.switches()).isEqualTo(switches);
        assertThat(plan.growth().lastGpus()).isEqualTo(most);
        assertThat(plan.growth().nextTiers()).isZero();
        assertThatThrownBy(() -> Plans.one("gpus=" + (most + 1) + SINGLE + radix))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("use fewer nodes, larger switches");
    }

    @Test
    void oneSwitchIsEnoughForAsManyLinksAsItHas() {
        FabricPlan plan = Plans.one("gpus=64" + SINGLE + "64");
        assertThat(plan.tiers()).isEqualTo(1);
        assertThat(plan.switches()).isEqualTo(1);
        assertThat(plan.cables()).isEqualTo(64);
        assertThat(Plans.one("gpus=65" + SINGLE + "64").tiers()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"64,1,32", "64,2,42", "64,3,48", "64,1.5,38", "64,0.5,21", "40,1,20", "7,1,3"})
    void aLeafHasAsManyHostsAsLeaveRoomForTheirUplinks(int ports, double ratio, int most) {
        assertThat(Sizing.downMax(ports, ratio)).isEqualTo(most);
    }

    @Test
    void reservedPortsOfALeafStayFree() {
        FabricPlan plan = Plans.one("gpus=1024 reserved-ports=8" + SINGLE + "64");
        assertThat(plan.plane().seating().most() + plan.plane().uplinks()).isLessThanOrEqualTo(56);
        assertThat(Plans.one("gpus=57 reserved-ports=8" + SINGLE + "64").tiers()).isEqualTo(2);
    }

    @Test
    void groupsAreEqualUnlessTheirSizeIsAskedFor() {
        assertThat(Plans.one("nodes=40 fabric=ib").plane().seating().nodesAt(0)).isEqualTo(20);
        Seating full = Plans.one("nodes=40 fabric=ib hosts-per-leaf=32").plane().seating();
        assertThat(full.nodesAt(0)).isEqualTo(32);
        assertThat(full.nodesAt(full.leaves() - 1)).isEqualTo(8);
    }

    @Test
    void spareNodesHaveCablesAndAreNoGpus() {
        FabricPlan plan = Plans.one("gpus=512 spare-nodes=2 fabric=ib");
        assertThat(plan.nodeCables()).isEqualTo(528);
        assertThat(plan.inputs().cluster().gpus()).isEqualTo(512);
        assertThat(plan.growth().lastGpus()).isEqualTo(2048 - 16);
    }

    @Test
    void moreSpinesCanBeAskedForThanAreNeeded() {
        assertThat(Plans.one("gpus=512 fabric=ib spines=16").spines()).isEqualTo(16);
        assertThatThrownBy(() -> Plans.one("gpus=512 fabric=ib spines=4"))
                .hasMessageContaining("use 8 to 32");
    }

    @Test
    void aTreeThatDoesNotDivideEvenlyIsSaidToBeUneven() {
        String rule = "fabric=ib nics-per-node=4 radix=144 nodes=";
        assertThat(Plans.one(rule + 1728).plane().isEven()).isFalse();
        assertThat(Plans.one("gpus=512 fabric=ib").plane().isEven()).isTrue();
    }

    @Test
    void bisectionFollowsTheNarrowestTier() {
        assertThat(Plans.one("gpus=512 fabric=ib").bisectionShare()).isEqualTo(1);
        assertThat(Plans.one("gpus=512 fabric=ib").bisectionTbits()).isEqualTo(102.4);
        FabricPlan half = Plans.one("gpus=1024 fabric=ib hosts-per-leaf=32 oversubscription=2");
        assertThat(half.bisectionShare()).isEqualTo(0.5);
        FabricPlan upper = Plans.one("gpus=16384 fabric=ib spine-oversubscription=3");
        assertThat(upper.bisectionShare()).isBetween(0.33, 0.36);
        assertThat(Plans.one("nodes=4 tiers=pair fabric=ib").bisectionShare()).isEqualTo(1);
    }

    @Test
    void noSwitchOfARandomPlanHasMoreCablesThanLinks() {
        Seed seed = Seed.forTest("SizingTest", 24);
        SplittableRandom random = seed.random();
        int planned = 0;
        for (int i = 0; i < Seed.campaign(600); i++) {
            String rule = RandomRule.of(random, 1 << 17);
            try {
                FabricPlan plan = Plans.one(rule);
                planned++;
                for (Sized plane : plan.planes()) {
                    checkPorts(rule, plan, plane);
                }
            } catch (PlanException refused) {
                assertThat(refused).as(rule).hasMessageContaining("use ");
            }
        }
        assertThat(planned).isGreaterThan((int) (Seed.campaign(600) / 3));
    }

    private static void checkPorts(String rule, FabricPlan plan, Sized plane) {
        int rate = plan.inputs().rate();
        int radix = plan.models().getFirst().radix(rate);
        int links = plane.seating().most() + plane.uplinks();
        assertThat(links).as(rule).isLessThanOrEqualTo(radix);
        if (plane.tiers() > 1) {
            int down = plane.spineDown();
            assertThat(down + plane.spineUplinks()).as(rule).isLessThanOrEqualTo(radix);
            assertThat(plane.spines()).as(rule).isLessThanOrEqualTo(plane.uplinks());
            double asked = plan.inputs().rule().oversubscription();
            assertThat(plane.leafRatio()).as(rule).isLessThanOrEqualTo(asked + 1e-9);
        }
        if (plane.tiers() > 2) {
            int perCore = Math.ceilDiv(plane.coreCables(), plane.cores());
            assertThat(perCore).as(rule).isLessThanOrEqualTo(radix);
        }
    }
}
