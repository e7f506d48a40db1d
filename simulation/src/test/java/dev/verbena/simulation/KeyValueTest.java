package dev.verbena.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A store with two worker threads, whose counters clients increment over the network, and a backup
/// to which the workers write each value. A worker that waits for the backup between reading a
/// counter and writing it loses increments of the other worker, under some seeds.
@Timeout(120)
class KeyValueTest {
    private static final int SEEDS = 40;
    private static final int CLIENTS = 3;
    private static final int INCREMENTS = 4;
    private static final int SERVER = 0;
    private static final int BACKUP = 1;
    private static final Duration SHORT = Duration.ofNanos(20_000);
    private static final Duration LIMIT = Duration.ofSeconds(1);

    @Test
    void incrementsAreNeverLost() {
        for (int seed = 1; seed <= SEEDS; seed++) {
            assertThat(new Store(seed, false).run())
                    .as("seed %d", seed)
                    .isEqualTo(CLIENTS * INCREMENTS);
        }
    }

    @Test
    void aPlantedRaceIsFoundBySeedAndReplays() {
        Map<Integer, Integer> wrong = new TreeMap<>();
        for (int seed = 1; seed <= SEEDS; seed++) {
            int counted = new Store(seed, true).run();
            if (counted != CLIENTS * INCREMENTS) {
                wrong.put(seed, counted);
            }
        }
        assertThat(wrong).as("seeds that show the race").isNotEmpty().hasSizeLessThan(SEEDS);
        wrong.forEach(
                (seed, counted) ->
                        assertThat(new Store(seed, true).run())
                                .as("seed %d again", seed)
                                .isEqualTo(counted));
    }

    /// One run of the store.
    private static final class Store {
        private final long seed;
        private final boolean isHasty;
        private final Map<String, Integer> values = new HashMap<>();
        private final Map<String, Endpoint> endpoints = new HashMap<>();
        private final Map<Integer, RemoteSlice> memories = new HashMap<>();

        /// What the server's workers share.
        private final List<QueuePair> toClients = new ArrayList<>();

        private final List<Worker> workers = new ArrayList<>();
        private int clientsLeft = CLIENTS;

        Store(long seed, boolean isHasty) {
            this.seed = seed;
            this.isHasty = isHasty;
        }

        /// The value of the one key in the end.
        int run() {
            Fabric fabric = new Fabric(FatTree.single(8).topology(), FabricSettings.ROCE);
            Simulation simulation =
                    new Simulation(fabric)
                            .name("store")
                            .seed(seed)
                            .program("server", SERVER, this::serve)
                            .program("worker 0", SERVER, host -> work(host, 0))
                            .program("worker 1", SERVER, host -> work(host, 1))
                            .program("backup", BACKUP, this::backUp);
            for (int i = 0; i < CLIENTS; i++) {
                int client = i;
                simulation.program("client " + i, 2 + i, host -> ask(host, client));
            }
            simulation.run();
            return values.getOrDefault("key", 0);
        }

        private void serve(Host host) {
            try (Device device = host.open()) {
                ProtectionDomain domain = device.protectionDomain();
                CompletionQueue requests = device.completionQueue(64);
                MemoryRegion memory = domain.allocate(64, Access.LOCAL_WRITE);
                for (int i = 0; i < CLIENTS; i++) {
                    QueuePair pair = join(host, domain, requests, "client " + i, 2 + i);
                    toClients.add(pair);
                    receive(pair, memory, i);
                }
                for (int i = 0; i < 2; i++) {
                    CompletionQueue saved = device.completionQueue(4);
                    QueuePair pair = join(host, domain, saved, "worker " + i, BACKUP);
                    workers.add(new Worker(requests, memory, saved, pair));
                }
                while (clientsLeft > 0) {
                    host.sleep(SHORT);
                }
                host.sleep(SHORT.multipliedBy(2)); // the workers have seen it
            }
        }

        private static void receive(QueuePair pair, MemoryRegion memory, long client) {
            pair.receives().receive().local(memory, 0, 8).id(client).post();
        }

        private void work(Host host, int number) {
            while (workers.size() < 2) {
                host.sleep(SHORT);
            }
            Worker own = workers.get(number);
            List<Long> asked = new ArrayList<>();
            while (clientsLeft > 0) {
                own.requests.await(
                        SHORT,
                        done -> {
                            if (done.operation() == CompletedOperation.RECEIVE) {
                                asked.add(done.id());
                            }
                        });
                for (long client : asked) {
                    increment(own);
                    QueuePair pair = toClients.get((int) client);
                    receive(pair, own.memory, client);
                    pair.sends().send().local(own.memory, 8, 8).post();
                }
                asked.clear();
            }
        }

        private void increment(Worker own) {
            int next = values.getOrDefault("key", 0) + 1;
            if (!isHasty) {
                values.put("key", next);
            }
            RemoteSlice there = Objects.requireNonNull(memories.get(BACKUP));
            own.backup.post(batch -> batch.write(own.memory.slice(16, 8), there).signaled());
            assertThat(own.saved.await(LIMIT, _ -> {})).isEqualTo(1);
            if (isHasty) {
                values.put("key", next); // the other worker may have been here meanwhile
            }
        }

        private void backUp(Host host) {
            try (Device device = host.open()) {
                ProtectionDomain domain = device.protectionDomain();
                CompletionQueue none = device.completionQueue(4);
                MemoryRegion memory = domain.allocate(8, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
                memories.put(BACKUP, memory.remote());
                for (int i = 0; i < 2; i++) {
                    join(host, domain, none, "worker " + i, SERVER);
                }
                while (clientsLeft > 0) {
                    host.sleep(SHORT);
                }
                host.sleep(SHORT.multipliedBy(2));
            }
        }

        private void ask(Host host, int number) {
            SplittableRandom thinking = new SplittableRandom(seed * CLIENTS + number);
            try (Device device = host.open()) {
                ProtectionDomain domain = device.protectionDomain();
                CompletionQueue done = device.completionQueue(16);
                MemoryRegion memory = domain.allocate(64, Access.LOCAL_WRITE);
                QueuePair pair = join(host, domain, done, "client " + number, SERVER);
                host.sleep(Duration.ofMillis(1));
                for (int i = 0; i < INCREMENTS; i++) {
                    pair.receives().receive().local(memory, 0, 8).post();
                    pair.sends().send().local(memory, 8, 8).post();
                    assertThat(done.await(LIMIT, _ -> {})).isEqualTo(1);
                    host.sleep(Duration.ofNanos(thinking.nextInt(100_000)));
                }
            }
            clientsLeft--;
        }

        /// Connects a queue pair with the peer's of the same name.
        private QueuePair join(
                Host host, ProtectionDomain domain, CompletionQueue done, String name, int peer) {
            QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
            endpoints.put(name + " at " + host.number(), pair.endpoint());
            String theirs = name + " at " + peer;
            Endpoint other = endpoints.get(theirs);
            while (other == null) {
                host.sleep(Duration.ofNanos(1_000));
                other = endpoints.get(theirs);
            }
            pair.connect(other);
            host.sleep(Duration.ofNanos(10_000)); // the peer has connected too
            return pair;
        }
    }

    /// What a worker has for itself, and the queue of requests that it shares.
    private record Worker(
            CompletionQueue requests,
            MemoryRegion memory,
            CompletionQueue saved,
            QueuePair backup) {}
}
