package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.junit.RdmaGroup;
import dev.verbena.testkit.junit.RdmaHost;
import dev.verbena.testkit.junit.RdmaPair;
import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.NoDeviceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `@RdmaTest` on a simulated fabric.
class RdmaTestFabricTest {
    private static final List<Long> SEEDS = new ArrayList<>();

    @RdmaTest(hosts = 6, fabric = "kind=ib&radix=4&rate=100")
    void hostsAreThoseOfTheFabric(RdmaGroup group) {
        Fabric fabric = fabric();
        assertThat(fabric.topology().hosts()).isEqualTo(6);
        assertThat(fabric.topology().switches()).isGreaterThan(2);
        for (int i = 0; i < 6; i++) {
            Device device = group.host(i).device();
            assertThat(device.name()).isEqualTo("host " + i);
            assertThat(device.port(1).linkLayer()).isEqualTo(LinkLayer.INFINIBAND);
            assertThat(device.port(1).bitsPerSecond()).isEqualTo(100_000_000_000L);
        }
        RdmaHost first = group.host(0);
        first.write(group.host(5), 0, 4096);
        first.awaitSuccess();
        assertThat(fabric.nowPs()).isPositive();
        assertThatThrownBy(() -> group.open("more"))
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("more of them: hosts=N");
    }

    @RdmaTest(fabric = "hosts=4&kind=roce")
    void aFabricMayHaveMoreHosts(RdmaPair pair, RdmaGroup group) {
        try (Device third = group.open("third")) {
            assertThat(third.name()).isEqualTo("host 2");
            long before = fabric().nowPs();
            group.advance(Duration.ofMillis(1));
            assertThat(fabric().nowPs() - before).isGreaterThanOrEqualTo(1_000_000_000L);
            assertThat(pair.left().device().port(1).linkLayer()).isEqualTo(LinkLayer.ETHERNET);
        }
    }

    @RdmaTest(fabric = "kind=roce", seeds = 3)
    void theSeedOfTheRunIsThatOfTheFabric(RdmaPair pair) {
        assertThat(pair.left()).isNotNull();
        SEEDS.add(fabric().settings().seed());
        assertThat(SEEDS).isEqualTo(List.of(1L, 2L, 3L).subList(0, SEEDS.size()));
    }

    /// The only one: each run has its own, and it is forgotten with its devices.
    private static Fabric fabric() {
        List<Fabric> known = new ArrayList<>();
        for (int run = 0; run < 1000; run++) {
            Fabrics.find("rdma-test-" + run).ifPresent(known::add);
        }
        assertThat(known).hasSize(1);
        return known.getFirst();
    }
}
