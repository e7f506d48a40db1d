package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.FlowRun;
import dev.verbena.fabric.Patterns;
import dev.verbena.fabric.PortCounts;
import org.junit.jupiter.api.Test;

/// Data takes the routes that the manager has written.
class TrafficTest {
    private static final long BYTES = 200_000;
    private static final int HOSTS = 16;

    private final Fabric fabric =
            new Fabric(FatTree.threeTiers(2, 4).topology(), FabricSettings.INFINIBAND);
    private final FabricLab lab = new FabricLab(fabric, new SubnetManager(ManagerSettings.DEFAULT));

    @Test
    void everyHostReachesAnotherOverAllUplinks() {
        assertThat(lab.bringUp()).hasValueSatisfying(it -> assertThat(it.failures()).isZero());

        FlowRun run = new FlowRun(fabric, Patterns.allToAll(HOSTS, BYTES / 10), _ -> {});

        assertThat(run.run(fabric.nowPs() + 1_000_000_000_000L)).isTrue();
        assertThat(run.failed()).isEmpty();
        assertThat(fabric.counts().drops()).isZero();
        for (int core = 0; core < 4; core++) {
            for (PortCounts port : fabric.counters("core " + core)) {
                assertThat(port.counts().get("PortXmitPkts")).as(port.node()).isPositive();
            }
        }
    }

    @Test
    void aShiftBetweenPodsLoadsAllPortsAlike() {
        lab.bringUp();

        FlowRun run = new FlowRun(fabric, Patterns.shift(HOSTS, 4, BYTES), _ -> {});

        assertThat(run.run(fabric.nowPs() + 1_000_000_000_000L)).isTrue();
        long packets = fabric.ports().getFirst().counts().getOrDefault("PortXmitPkts", 0L);
        assertThat(packets).isPositive();
        for (PortCounts port : fabric.ports()) {
            assertThat(port.counts().get("PortXmitPkts")).as(port.node()).isEqualTo(packets);
        }
    }

    @Test
    void connectionsOutliveACableThatIsPulledUnderThem() {
        lab.bringUp();
        FlowRun run = new FlowRun(fabric, Patterns.shift(HOSTS, 4, 50 * BYTES), _ -> {});
        long now = fabric.nowPs();
        // The last cables are those of cores.
        int cable = fabric.topology().cables() - 1;
        fabric.fault(CableFault.down(cable, now + 10_000_000, CableFault.FOR_EVER));

        boolean isDone = false;
        for (int ms = 0; ms < 3_000 && !isDone; ms++) {
            long sliceEndPs = fabric.nowPs() + 1_000_000_000L;
            isDone = run.run(sliceEndPs);
            fabric.run(sliceEndPs);
            lab.work();
        }

        assertThat(isDone)
                .as(
                        "%s, %d left, failed %s, %s",
                        lab.manager(), run.left(), run.failed(), lab.manager().routing())
                .isTrue();
        assertThat(run.failed()).isEmpty();
        assertThat(run.deliveredBytes()).isEqualTo(HOSTS * 50 * BYTES);
        assertThat(lab.manager().routing().isComplete()).isFalse();
    }
}
