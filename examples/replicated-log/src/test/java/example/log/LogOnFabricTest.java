package example.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.simulation.Host;
import dev.verbena.simulation.Simulation;
import dev.verbena.testkit.junit.RdmaGroup;
import dev.verbena.testkit.junit.RdmaHost;
import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import example.log.ReplicatedLog.Copy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The log on a simulated fabric of 16 hosts: links, switches, and a link that is congested.
class LogOnFabricTest {
    private static final int HOSTS = 16;
    private static final int BULK_BYTES = 1 << 16;
    private static final Duration LIMIT = Duration.ofSeconds(1);

    /// Two tiers of switches with 8 ports; the leader has 15 followers.
    @RdmaTest(hosts = HOSTS, fabric = "kind=ib&radix=8")
    void everythingCommittedIsAtAllFollowers(RdmaGroup group) {
        RdmaHost leader = group.host(0);
        List<RdmaHost> followers = group.hosts().subList(1, HOSTS);
        ReplicatedLog log =
                new ReplicatedLog(
                        leader.memory(),
                        leader.completions(),
                        LogContract.copies(leader, followers));
        List<String> committed = entries();
        committed.forEach(log::append);
        leader.device().close();
        for (RdmaHost follower : followers) {
            assertEquals(committed, LogLayout.read(follower.memory().segment()));
        }
    }

    @Test
    void aCongestedLinkMakesTheLogSlowerAndLosesNothing() {
        long quietNs = new Run(0).appendNs();
        long congestedNs = new Run(8).appendNs();
        System.out.printf(
                "an append takes %,d ns, and %,d ns beside 8 hosts that write to a follower%n",
                quietNs, congestedNs);
        assertTrue(congestedNs > 4 * quietNs, quietNs + " and " + congestedNs + " ns");
        assertEquals(congestedNs, new Run(8).appendNs(), "a run repeats");
    }

    private static List<String> entries() {
        return IntStream.range(0, 20).mapToObj(i -> "entry " + i).toList();
    }

    /// A leader at host 0, followers at 1 and 2, and hosts from 8 on that write to follower 1. One
    /// program runs at a time, so that they share ordinary maps.
    private static final class Run {
        private final int writers;
        private final Map<String, Endpoint> endpoints = new HashMap<>();
        private final Map<Integer, RemoteSlice> memories = new HashMap<>();
        private final List<List<String>> logs = new ArrayList<>();
        private boolean isOver;
        private long appendNs;

        Run(int writers) {
            this.writers = writers;
        }

        /// The mean time of an append.
        long appendNs() {
            Fabric fabric =
                    new Fabric(FatTree.ofRadix(HOSTS, 8, 1).topology(), FabricSettings.ROCE);
            Simulation simulation =
                    new Simulation(fabric)
                            .program("leader", 0, this::lead)
                            .program("follower 1", 1, this::follow)
                            .program("follower 2", 2, this::follow);
            for (int i = 0; i < writers; i++) {
                simulation.program("writer " + i, 8 + i, this::write);
            }
            simulation.run();
            assertEquals(List.of(entries(), entries()), logs);
            return appendNs;
        }

        private void lead(Host host) {
            try (Device device = host.open()) {
                CompletionQueue done = device.completionQueue(64);
                ProtectionDomain domain = device.protectionDomain();
                MemoryRegion memory = domain.allocate(BULK_BYTES, Access.LOCAL_WRITE);
                List<Copy> copies = new ArrayList<>();
                for (int follower = 1; follower <= 2; follower++) {
                    QueuePair pair = join(host, domain, done, follower);
                    copies.add(new Copy(pair, memories.get(follower)));
                }
                host.sleep(Duration.ofMillis(1)); // by then the writers are busy
                ReplicatedLog log = new ReplicatedLog(memory, done, copies);
                long startNs = host.nowNs();
                entries().forEach(log::append);
                appendNs = (host.nowNs() - startNs) / entries().size();
                isOver = true;
            }
        }

        private void follow(Host host) {
            try (Device device = host.open()) {
                CompletionQueue done = device.completionQueue(64);
                ProtectionDomain domain = device.protectionDomain();
                MemoryRegion memory =
                        domain.allocate(2 * BULK_BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
                memories.put(host.number(), memory.remote());
                join(host, domain, done, 0);
                for (int i = 0; host.number() == 1 && i < writers; i++) {
                    join(host, domain, done, 8 + i);
                }
                while (!isOver) {
                    host.sleep(Duration.ofNanos(100_000));
                }
                logs.add(LogLayout.read(memory.segment()));
            }
        }

        private void write(Host host) {
            try (Device device = host.open()) {
                CompletionQueue done = device.completionQueue(64);
                ProtectionDomain domain = device.protectionDomain();
                MemoryRegion memory = domain.allocate(BULK_BYTES, Access.LOCAL_WRITE);
                QueuePair pair = join(host, domain, done, 1);
                RemoteSlice there = memories.get(1).slice(BULK_BYTES, BULK_BYTES);
                for (int posted = 0; !isOver; ) {
                    while (posted < 4) {
                        pair.post(batch -> batch.write(memory.slice(), there).signaled());
                        posted++;
                    }
                    posted -= done.await(LIMIT, _ -> {});
                }
            }
        }

        /// Connects a queue pair with that of a peer, when it has one.
        private QueuePair join(
                Host host, ProtectionDomain domain, CompletionQueue done, int peer) {
            QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
            endpoints.put(host.number() + " to " + peer, pair.endpoint());
            String theirs = peer + " to " + host.number();
            while (!endpoints.containsKey(theirs)) {
                host.sleep(Duration.ofNanos(1_000));
            }
            pair.connect(endpoints.get(theirs));
            host.sleep(Duration.ofNanos(10_000)); // the peer has connected too
            return pair;
        }
    }
}
