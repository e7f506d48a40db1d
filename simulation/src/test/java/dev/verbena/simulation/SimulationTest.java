package dev.verbena.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.simulation.SimulationException.Reason;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WrongStateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Programs on threads that pass a baton.
@Timeout(120)
class SimulationTest {
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private static Fabric fabric(int hosts) {
        return new Fabric(FatTree.single(hosts).topology(), FabricSettings.ROCE);
    }

    /// One end of a reliable connection, which the programs make by a map of endpoints: one program
    /// runs at a time, so that an ordinary one will do.
    private static final class End {
        private final CompletionQueue done;
        private final MemoryRegion memory;
        private final QueuePair pair;

        End(Host host, Device device, Map<Integer, Endpoint> endpoints, int peer) {
            done = device.completionQueue(64);
            ProtectionDomain domain = device.protectionDomain();
            memory = domain.allocate(1 << 16, Access.LOCAL_WRITE);
            pair = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
            endpoints.put(host.number(), pair.endpoint());
            Endpoint other = endpoints.get(peer);
            while (other == null) {
                host.sleep(Duration.ofNanos(500));
                other = endpoints.get(peer);
            }
            for (int i = 0; i < 16; i++) {
                receive();
            }
            pair.connect(other);
            host.sleep(Duration.ofMillis(1));
        }

        void receive() {
            pair.receives().receive().local(memory, 0, 4096).post();
        }

        void send() {
            pair.sends().send().local(memory, 0, 4096).post();
        }
    }

    /// Two hosts that send each other messages in turn; what happened, in order.
    private static List<String> pingPong(Simulation simulation, boolean isPolling) {
        List<String> log = new ArrayList<>();
        Map<Integer, Endpoint> endpoints = new HashMap<>();
        simulation.everyHost(
                host -> {
                    try (Device device = host.open()) {
                        int peer = host.number() ^ 1;
                        End end = new End(host, device, endpoints, peer);
                        if (host.number() < peer) {
                            end.send();
                        }
                        for (int i = 0; i < 10; i++) {
                            if (isPolling) {
                                Completion done = null;
                                while (done == null) {
                                    done = end.done.poll();
                                }
                            } else {
                                assertThat(end.done.await(FOREVER, _ -> {})).isEqualTo(1);
                            }
                            log.add(host.name() + " at " + host.nowNs());
                            end.receive();
                            end.send();
                        }
                        host.sleep(Duration.ofNanos(100_000));
                    }
                });
        Simulation.Outcome outcome = simulation.run();
        log.add(outcome.time() + " " + outcome.events());
        return log;
    }

    @Test
    void aProgramThatWaitsLetsTheOthersRun() {
        List<String> log = pingPong(new Simulation(fabric(2)), false);

        assertThat(log).hasSize(21);
        for (int i = 0; i < 20; i++) {
            assertThat(log.get(i)).startsWith(i % 2 == 0 ? "host 1" : "host 0");
        }
    }

    @Test
    void aProgramThatPollsLetsTheOthersRun() {
        assertThat(pingPong(new Simulation(fabric(2)), true)).hasSize(21);
    }

    @Test
    void theSeedDecidesTheOrder() {
        List<String> first = pingPong(new Simulation(fabric(16)).seed(7), false);

        assertThat(pingPong(new Simulation(fabric(16)).seed(7), false)).isEqualTo(first);
        assertThat(pingPong(new Simulation(fabric(16)).seed(7).platformThreads(), false))
                .isEqualTo(first);
        assertThat(pingPong(new Simulation(fabric(16)).seed(8), false)).isNotEqualTo(first);
    }

    @Test
    void aProgramThatThrowsIsNamedAndEndsTheOthers() {
        List<String> closed = new ArrayList<>();
        Simulation simulation =
                new Simulation(fabric(3))
                        .everyHost(
                                host -> {
                                    try (Device device = host.open()) {
                                        CompletionQueue queue = device.completionQueue(1);
                                        if (host.number() == 2) {
                                            host.sleep(Duration.ofNanos(3_000));
                                            throw new IllegalStateException("no more");
                                        }
                                        queue.await(FOREVER, _ -> {});
                                    } finally {
                                        closed.add(host.name());
                                    }
                                });

        SimulationException failure =
                catchThrowableOfType(SimulationException.class, simulation::run);

        assertThat(failure.reason()).isEqualTo(Reason.THROWN);
        assertThat(failure.program()).isEqualTo("host 2");
        assertThat(failure)
                .hasMessageContaining("program host 2 failed at 3,000 ns")
                .cause()
                .hasMessage("no more");
        assertThat(closed).containsExactlyInAnyOrder("host 0", "host 1", "host 2");
    }

    @Test
    void programsThatWaitForEverAreShownWithTheirStacks() {
        Simulation simulation =
                new Simulation(fabric(2))
                        .everyHost(
                                host -> {
                                    try (Device device = host.open()) {
                                        if (host.number() == 0) {
                                            waitInVain(device);
                                        } else {
                                            alsoWaitInVain(device);
                                        }
                                    }
                                });

        SimulationException failure =
                catchThrowableOfType(SimulationException.class, simulation::run);

        assertThat(failure.reason()).isEqualTo(Reason.STUCK);
        assertThat(failure).hasMessageContaining("host 0, host 1 wait without a limit");
        assertThat(failure.getSuppressed()).hasSize(2);
        assertThat(methods(failure.getSuppressed()[0])).contains("waitInVain");
        assertThat(methods(failure.getSuppressed()[1])).contains("alsoWaitInVain");
    }

    private static List<String> methods(Throwable shown) {
        List<String> names = new ArrayList<>();
        for (StackTraceElement call : shown.getStackTrace()) {
            names.add(call.getMethodName());
        }
        return names;
    }

    private static void waitInVain(Device device) {
        device.completionQueue(1).await(FOREVER, _ -> {});
    }

    private static void alsoWaitInVain(Device device) {
        device.completionQueue(1).await(FOREVER, _ -> {});
    }

    @Test
    void aProgramThatBlocksElsewhereIsShownWithItsStack() {
        CountDownLatch never = new CountDownLatch(1);
        Simulation simulation =
                new Simulation(fabric(2))
                        .patience(Duration.ofMillis(200))
                        .everyHost(
                                host -> {
                                    if (host.number() == 1) {
                                        blockElsewhere(never);
                                    } else {
                                        host.sleep(Duration.ofSeconds(1));
                                    }
                                });

        SimulationException failure =
                catchThrowableOfType(SimulationException.class, simulation::run);

        assertThat(failure.reason()).isEqualTo(Reason.HELD);
        assertThat(failure.program()).isEqualTo("host 1");
        assertThat(failure).hasMessageContaining("program host 1 has had the baton for 200 ms");
        assertThat(failure.getStackTrace())
                .extracting(StackTraceElement::getMethodName)
                .contains("blockElsewhere");
    }

    private static void blockElsewhere(CountDownLatch never) throws InterruptedException {
        never.await();
    }

    @Test
    void aThreadThatIsNoProgramIsRefusedByName() {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        new Simulation(fabric(2))
                .program(
                        "server",
                        0,
                        host -> {
                            try (Device device = host.open()) {
                                Thread helper =
                                        Thread.ofPlatform()
                                                .name("helper")
                                                .start(() -> attempt(device, thrown));
                                helper.join();
                            }
                        })
                .run();

        assertThat(thrown.get())
                .isInstanceOf(WrongStateException.class)
                .hasMessageContaining("thread helper calls a device, and program server runs");
    }

    private static void attempt(Device device, AtomicReference<Throwable> thrown) {
        try {
            device.completionQueue(1);
        } catch (RuntimeException refused) {
            thrown.set(refused);
        }
    }

    @Test
    void programsOfOneHostShareItsDevice() {
        Map<Integer, Endpoint> endpoints = new HashMap<>();
        List<String> taken = new ArrayList<>();
        AtomicReference<End> server = new AtomicReference<>();
        Simulation simulation = new Simulation(fabric(2));
        simulation.program(
                "client",
                1,
                host -> {
                    try (Device device = host.open()) {
                        End end = new End(host, device, endpoints, 0);
                        for (int i = 0; i < 10; i++) {
                            end.send();
                            host.sleep(Duration.ofNanos(10_000));
                        }
                    }
                });
        simulation.program(
                "opener",
                0,
                host -> {
                    try (Device device = host.open()) {
                        server.set(new End(host, device, endpoints, 1));
                        host.sleep(Duration.ofMillis(10));
                    }
                });
        for (int i = 0; i < 2; i++) {
            String name = "worker " + i;
            simulation.program(
                    name,
                    0,
                    host -> {
                        while (server.get() == null) {
                            host.sleep(Duration.ofNanos(1_000));
                        }
                        End end = server.get();
                        while (taken.size() < 10) {
                            // Both wait for one queue: each completion goes to one of them.
                            end.done.await(Duration.ofNanos(50_000), _ -> taken.add(name));
                        }
                    });
        }

        simulation.run();

        assertThat(taken).hasSize(10).contains("worker 0", "worker 1");
    }

    @Test
    void aThreadWhoseResultAnotherOneTookWaitsOn() {
        Map<Integer, Endpoint> endpoints = new HashMap<>();
        List<Integer> taken = new ArrayList<>();
        AtomicReference<End> server = new AtomicReference<>();
        Simulation simulation = new Simulation(fabric(2));
        simulation.program(
                "client",
                1,
                host -> {
                    try (Device device = host.open()) {
                        End end = new End(host, device, endpoints, 0);
                        for (int i = 0; i < 10; i++) {
                            host.sleep(Duration.ofNanos(10_000));
                            end.send();
                        }
                        host.sleep(Duration.ofNanos(10_000));
                    }
                });
        simulation.program(
                "opener",
                0,
                host -> {
                    try (Device device = host.open()) {
                        server.set(new End(host, device, endpoints, 1));
                        host.sleep(Duration.ofMillis(10));
                    }
                });
        for (int i = 0; i < 2; i++) {
            simulation.program(
                    "waiter " + i,
                    0,
                    host -> {
                        while (server.get() == null) {
                            host.sleep(Duration.ofNanos(1_000));
                        }
                        try {
                            while (true) {
                                taken.add(server.get().done.await(FOREVER, _ -> {}));
                            }
                        } catch (ClosedException over) {
                            // The opener has closed the device.
                        }
                    });
        }

        simulation.run();

        assertThat(taken).hasSize(10).containsOnly(1);
    }

    @Test
    void theLimitOfVirtualTimeEndsAProgramThatPollsForEver() {
        Simulation simulation =
                new Simulation(fabric(2))
                        .virtualLimit(Duration.ofMillis(1))
                        .program(
                                "poller",
                                0,
                                host -> {
                                    try (Device device = host.open()) {
                                        CompletionQueue queue = device.completionQueue(1);
                                        while (queue.poll() == null) {}
                                    }
                                });

        SimulationException failure =
                catchThrowableOfType(SimulationException.class, simulation::run);

        assertThat(failure.reason()).isEqualTo(Reason.TIME_OVER);
        assertThat(failure).hasMessageContaining("the limit of 1,000,000 ns");
    }

    @Test
    void aProgramThatPollsForLongIsNotTakenForBlocked() {
        new Simulation(fabric(2))
                .patience(Duration.ofMillis(100))
                .program(
                        "poller",
                        0,
                        host -> {
                            long endNs = System.nanoTime() + 400_000_000;
                            try (Device device = host.open()) {
                                CompletionQueue queue = device.completionQueue(1);
                                while (System.nanoTime() < endNs) {
                                    assertThat(queue.poll()).isNull();
                                }
                            }
                        })
                .run();
    }

    @Test
    void aWaitEndsAtItsLimitAndAtTheCloseOfItsDevice() {
        List<String> log = new ArrayList<>();
        AtomicReference<Device> shared = new AtomicReference<>();
        new Simulation(fabric(2))
                .program(
                        "waiter",
                        0,
                        host -> {
                            Device device = host.open();
                            shared.set(device);
                            CompletionQueue queue = device.completionQueue(1);
                            log.add(
                                    queue.await(Duration.ofNanos(700), _ -> {})
                                            + " "
                                            + host.nowNs());
                            try {
                                queue.await(FOREVER, _ -> {});
                            } catch (RuntimeException closed) {
                                log.add(closed.getClass().getSimpleName() + " " + host.nowNs());
                            }
                        })
                .program(
                        "closer",
                        0,
                        host -> {
                            host.sleep(Duration.ofNanos(1500));
                            shared.get().close();
                        })
                .run();

        assertThat(log).containsExactly("0 700", "ClosedException 1500");
    }

    @Test
    void theFabricIsAnOrdinaryOneAfterwards() {
        Fabric fabric = fabric(2);
        new Simulation(fabric).name("after").everyHost(host -> host.open().close()).run();

        Device device = fabric.open(0);
        assertThat(device.completionQueue(1).await(LIMIT, _ -> {})).isZero();
        assertThat(fabric.nowPs()).isGreaterThanOrEqualTo(LIMIT.toNanos() * 1000);
        assertThat(
                        catchThrowableOfType(
                                NoDeviceException.class,
                                () -> Devices.open("fabric://after/host-1")))
                .hasMessageContaining("there is none");
    }

    @Test
    void mistakesAreRefused() {
        assertThat(
                        catchThrowableOfType(
                                InvalidRequestException.class, new Simulation(fabric(2))::run))
                .hasMessageContaining("it has no program");
        assertThat(
                        catchThrowableOfType(
                                InvalidRequestException.class,
                                () -> new Simulation(fabric(2)).program("x", 2, _ -> {})))
                .hasMessageContaining("the fabric has no host 2; use 0 to 1");
    }
}
