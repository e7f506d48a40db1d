package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.junit.RdmaGroup;
import dev.verbena.testkit.junit.RdmaHost;
import dev.verbena.testkit.junit.RdmaPair;
import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.testkit.junit.RdmaThreads;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.NoDeviceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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

    private static final List<String> ORDERS = new ArrayList<>();

    @RdmaTest(hosts = 4, fabric = "kind=ib&seed=1", seeds = 8)
    void threadsTakeTurnsByTheSeedOfTheRun(RdmaGroup group, RdmaThreads threads) {
        ORDERS.add(order(group, threads));
        assertThat(fabric().settings().seed()).isEqualTo(1);
        if (ORDERS.size() == 8) {
            assertThat(Set.copyOf(ORDERS)).as("orders of 8 seeds").hasSizeGreaterThan(1);
        }
    }

    private static String order(RdmaGroup group, RdmaThreads threads) {
        StringBuilder order = new StringBuilder();
        List<Thread> all = new ArrayList<>();
        for (RdmaHost host : group.hosts().subList(1, 4)) {
            all.add(
                    threads.start(
                            host.name(),
                            () -> {
                                order.append(host.name().charAt(4));
                                host.write(group.host(0), 0, 64);
                                host.awaitSuccess();
                            }));
        }
        all.forEach(threads::join);
        assertThat(order).hasSize(3);
        return order.toString();
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
