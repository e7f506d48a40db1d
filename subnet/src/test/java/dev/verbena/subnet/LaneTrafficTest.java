package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricKind;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.Flow;
import dev.verbena.fabric.FlowRun;
import dev.verbena.fabric.LaneMap;
import dev.verbena.fabric.Topology;
import dev.verbena.fabric.Wiring;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Data in the lanes that the manager has chosen: on a ring whose hosts all send two switches on,
/// packets wait for each other without end in one lane, and do not in the lanes of their paths.
class LaneTrafficTest {
    private static final int SWITCHES = 5;
    private static final int HOSTS = 2;
    private static final long BYTES = 2_000_000;
    private static final long END_PS = 100_000_000_000L;

    private static Topology ring() {
        Wiring wiring = new Wiring("ring");
        for (int i = 0; i < SWITCHES; i++) {
            wiring.addSwitch("switch " + i, HOSTS + 2);
            for (int j = 0; j < HOSTS; j++) {
                wiring.addHost("host " + (i * HOSTS + j), i, 2 + j);
            }
        }
        for (int i = 0; i < SWITCHES; i++) {
            wiring.join(i, 0, (i + 1) % SWITCHES, 1);
        }
        return wiring.topology();
    }

    private static FlowRun run(RoutingEngine engine) {
        FabricKind.InfiniBand kind =
                ((FabricKind.InfiniBand) FabricSettings.INFINIBAND.kind())
                        .withLanes(LaneMap.modulo(4));
        Fabric fabric = new Fabric(ring(), FabricSettings.INFINIBAND.withKind(kind));
        ManagerSettings settings = ManagerSettings.DEFAULT.withEngines(engine).withSweepNs(0);
        FabricLab lab = new FabricLab(fabric, new SubnetManager(settings));
        assertThat(lab.bringUp()).hasValueSatisfying(it -> assertThat(it.failures()).isZero());
        int count = SWITCHES * HOSTS;
        List<Flow> flows = new ArrayList<>();
        for (int host = 0; host < count; host++) {
            int to = (host + 2 * HOSTS) % count;
            int level = lab.manager().level(guid(lab, host), guid(lab, to));
            flows.add(Flow.of(host, to, BYTES).inClass(level));
        }
        FlowRun run = new FlowRun(fabric, flows, _ -> {});
        run.run(fabric.nowPs() + END_PS);
        return run;
    }

    private static long guid(FabricLab lab, int host) {
        return lab.fabric.subnet().portGuid(host);
    }

    @Test
    void packetsOnARingWaitForEachOtherInOneLane() {
        assertThat(run(new MinHopEngine()).deadlock()).isPresent();
    }

    @Test
    void theyDoNotInTheLanesOfTheirPaths() {
        FlowRun run = run(new LayeredEngine());

        assertThat(run.deadlock()).isEmpty();
        assertThat(run.left()).isZero();
        assertThat(run.failed()).isEmpty();
    }
}
