package dev.verbena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.BufferSettings;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricKind;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.Netfile;
import dev.verbena.fabric.RouteWalk;
import dev.verbena.fabric.Topology;
import dev.verbena.testkit.Seed;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The netfile of a plan is the plan: as many switches and cables, no port twice, and every pair of
/// hosts reachable by the routes that the simulator takes.
class PlannedNetfileTest {
    /// Hosts of the largest random plan: all sizes where campaigns are large.
    private static final int MOST = Seed.campaign(1) >= 5 ? 16_384 : 2048;

    @Test
    void theNetfileOfARandomPlanIsThePlan() {
        Seed seed = Seed.forTest("PlannedNetfileTest", 2048);
        SplittableRandom random = seed.random();
        int planned = 0;
        for (int i = 0; i < Seed.campaign(60); i++) {
            String rule = RandomRule.of(random, MOST);
            try {
                FabricPlan plan = Plans.one(rule);
                planned++;
                for (int plane = 0; plane < Math.min(2, plan.planes().size()); plane++) {
                    check(rule, plan, plane, random);
                }
            } catch (PlanException refused) {
                assertThat(refused).as(rule).hasMessageContaining("use ");
            }
        }
        assertThat(planned).isGreaterThan((int) (Seed.campaign(60) / 3));
    }

    @Test
    @Tag("long")
    @Tag("slow")
    void sixteenThousandHostsInThreeTiersAreThePlanToo() {
        Seed seed = Seed.forTest("PlannedNetfileTest", 16384);
        String rule = "fabric=ib gpus=16384";
        check(rule, Plans.one(rule), 0, seed.random());
    }

    @Test
    @Tag("long")
    @Tag("slow")
    void aHundredAndThirtyOneThousandHostsOfRoceAreThePlanToo() {
        Seed seed = Seed.forTest("PlannedNetfileTest", 131072);
        String rule = "fabric=roce gpus=131072 rate=200 switch=Tomahawk6";
        check(rule, Plans.one(rule), 0, seed.random());
    }

    @Test
    void aTreeWhoseUplinksDoNotDivideEvenlyUsesNoPortTwice() {
        SplittableRandom random = Seed.forTest("PlannedNetfileTest", 48).random();
        String rule = "fabric=ib nodes=48 nics-per-node=1 radix=12";
        FabricPlan plan = Plans.one(rule);
        assertThat(plan.plane().isEven()).isFalse();
        check(rule, plan, 0, random);
    }

    @Test
    void thePairOfABasePodIsConnected() {
        SplittableRandom random = Seed.forTest("PlannedNetfileTest", 8).random();
        String rule = "fabric=ib nodes=8 tiers=pair";
        check(rule, Plans.one(rule), 0, random);
    }

    private static void check(String rule, FabricPlan plan, int plane, SplittableRandom random) {
        Sized size = plan.planes().get(plane);
        int hosts = size.hosts() + size.managementLinks();
        if (hosts < 2) {
            return;
        }
        String text = Netfile.print(plan.topology(plane));
        NetfileText file = new NetfileText(text);
        assertThat(file.portsTwice()).as(rule).isZero();
        assertThat(file.isSymmetric()).as(rule).isTrue();
        assertThat(file.count("leaf")).as(rule).isEqualTo(size.leaves());
        assertThat(file.count("spine")).as(rule).isEqualTo(size.spinesInAll());
        assertThat(file.count("core")).as(rule).isEqualTo(size.cores());
        assertThat(file.count("host")).as(rule).isEqualTo(hosts);
        assertThat(file.cables("host", "leaf")).as(rule).isEqualTo(hosts);
        if (size.isPair()) {
            assertThat(file.cables("leaf", "leaf")).as(rule).isEqualTo(2 * size.leafCables());
        } else {
            assertThat(file.cables("leaf", "spine")).as(rule).isEqualTo(size.leafCables());
        }
        assertThat(file.cables("spine", "core")).as(rule).isEqualTo(size.coreCables());
        assertThat(file.ends.size()).as(rule).isEqualTo(2 * size.cables());

        Topology read = Netfile.parse("again", List.of(text.split("\n", -1)));
        assertThat(read.hosts()).as(rule).isEqualTo(hosts);
        assertThat(read.switches()).as(rule).isEqualTo(size.switches());
        assertThat(read.cables()).as(rule).isEqualTo(size.cables());
        boolean isInfiniBand = plan.network() == Network.IB;
        FabricSettings settings = isInfiniBand ? FabricSettings.INFINIBAND : roce();
        assertThat(new Fabric(read, settings).topology()).as(rule).isSameAs(read);
        walk(rule, read, plan, file.firstHosts(), random);
    }

    /// With a buffer that has room for the headroom of 512 ports.
    private static FabricSettings roce() {
        FabricKind.Ethernet kind = (FabricKind.Ethernet) FabricSettings.ROCE.kind();
        BufferSettings usual = kind.buffer();
        BufferSettings larger =
                new BufferSettings(
                        4 * usual.totalBytes(),
                        usual.lossless(),
                        usual.xoffBytes(),
                        usual.xonBytes(),
                        usual.headroomBytes(),
                        usual.alpha());
        return FabricSettings.ROCE.withKind(kind.withBuffer(larger));
    }

    /// From every leaf to every leaf by equal paths as they come, and to every host on fixed ones.
    private static void walk(
            String rule,
            Topology topology,
            FabricPlan plan,
            List<Integer> first,
            SplittableRandom random) {
        RouteWalk walk = new RouteWalk(topology);
        int farthest = 1;
        for (int from : first) {
            for (int to : first) {
                int passed = walk.spread(from, to, random::nextInt);
                assertThat(passed).as(rule).isPositive();
                farthest = Math.max(farthest, passed);
            }
            if (plan.network() == Network.IB) {
                for (int to = 0; to < topology.hosts(); to++) {
                    int passed = walk.fixed(from, to);
                    if (passed < 1 || passed > plan.plane().farthest()) {
                        assertThat(passed).as(rule).isBetween(1, plan.plane().farthest());
                    }
                }
            }
        }
        if (plan.plane().tiers() < 3 || plan.plane().pods() > 1) {
            assertThat(farthest).as(rule).isEqualTo(plan.plane().farthest());
        }
    }
}
