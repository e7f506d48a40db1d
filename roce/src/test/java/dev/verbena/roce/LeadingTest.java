package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Wait;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Threads of a program that wait: one of them drives the device for all, and whatever it does, the
/// others get their results.
@Timeout(60)
@Tag("sockets")
class LeadingTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int THREADS = 4;
    private static final int ROUNDS = 20;

    /// A thread that is not woken looks by itself after a second. So many of them are too late for
    /// the test as a whole.
    private static final int WAKES = 100;

    /// The same where the timer of a request ends the sleep after a tenth of a second.
    private static final int POSTS = 800;

    private static final int HASTY_POSTS = 10_000;
    private static final VarHandle ARRIVED = ValueLayout.JAVA_LONG.varHandle();

    /// 10 ms.
    private static final int RNR_CODE = 20;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Device peer = Devices.open("roce://" + TestAddresses.ipv4());
    private final ProtectionDomain far = peer.protectionDomain();
    private final CompletionQueue sent = peer.completionQueue(1024);
    private final MemoryRegion there = far.allocate(8, Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    @AfterEach
    void close() {
        peer.close();
        threads.shutdownNow();
    }

    /// A connection to the peer, with a completion queue of its own.
    private final class Lane {
        final CompletionQueue queue;
        final QueuePair near;
        final QueuePair other;
        final MemoryRegion memory;

        Lane(Device device, ProtectionDomain domain) {
            this(device, domain, _ -> {});
        }

        Lane(Device device, ProtectionDomain domain, Consumer<QueuePairAttributes> changes) {
            queue = device.completionQueue(64);
            near = domain.queuePair(QueuePairType.RC, it -> it.completions(queue));
            other = far.queuePair(QueuePairType.RC, it -> it.completions(sent));
            near.connect(other.endpoint(), changes);
            other.connect(near.endpoint(), changes);
            memory = domain.allocate(8, Access.LOCAL_WRITE, Access.REMOTE_READ);
        }

        /// A thread of its own that waits for a message.
        Future<Integer> waits() {
            AtomicReference<Thread> waiter = new AtomicReference<>();
            near.postReceive(it -> it.receive(memory.slice()));
            Future<Integer> waiting =
                    threads.submit(
                            () -> {
                                waiter.set(Thread.currentThread());
                                return queue.await(LONG, _ -> {});
                            });
            Wait.until("it has begun", LONG, () -> waiter.get() != null);
            return waiting;
        }

        void sends() {
            other.post(it -> it.send(there.slice()));
        }
    }

    private List<Lane> lanes(Device device) {
        ProtectionDomain domain = device.protectionDomain();
        List<Lane> lanes = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            lanes.add(new Lane(device, domain));
        }
        return lanes;
    }

    private static Device open(String options) {
        return Devices.open("roce://" + TestAddresses.ipv4() + "?" + options);
    }

    /// Lets a little time pass, in which a thread that waits goes to sleep.
    private static void pass() {
        long endNs = System.nanoTime() + 2_000_000;
        Wait.until("a little time has passed", LONG, () -> System.nanoTime() > endNs);
    }

    private static void isOne(Future<Integer> waiting) throws Exception {
        assertThat(waiting.get(40, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"progress=caller", "progress=thread", "path=portable"})
    void whenOneHasItsResultTheOthersStillGetTheirs(String options) throws Exception {
        try (Device device = open(options)) {
            List<Lane> lanes = lanes(device);
            for (int round = 0; round < ROUNDS; round++) {
                List<Future<Integer>> waiting = new ArrayList<>();
                for (Lane lane : lanes) {
                    waiting.add(lane.waits());
                }
                for (int i = 0; i < THREADS; i++) {
                    int next = (round + i) % THREADS;
                    lanes.get(next).sends();
                    isOne(waiting.get(next));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"progress=caller&spin=0", "progress=thread&spin=0"})
    void packetsThatArriveTogetherAreAllProcessed(String options) {
        try (Device device = open(options)) {
            ProtectionDomain domain = device.protectionDomain();
            CompletionQueue queue = device.completionQueue(64);
            QueuePair near = domain.queuePair(QueuePairType.UC, it -> it.completions(queue));
            QueuePair other = far.queuePair(QueuePairType.UC, it -> it.completions(sent));
            near.connect(other.endpoint(), it -> it.pathMtu(1024));
            other.connect(near.endpoint(), it -> it.pathMtu(1024));
            MemoryRegion into = domain.allocate(2000, Access.LOCAL_WRITE);
            MemoryRegion from = far.allocate(2000, Access.LOCAL_WRITE);
            for (int i = 0; i < WAKES; i++) {
                near.postReceive(it -> it.receive(into.slice()));
                other.post(it -> it.send(from.slice()));

                assertThat(queue.await(LONG, _ -> {})).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"progress=thread", "path=portable"})
    void peersAreAnsweredAfterTheProgramHasWaited(String options) throws Exception {
        try (Device device = open(options)) {
            Lane lane = new Lane(device, device.protectionDomain());
            for (int round = 0; round < ROUNDS; round++) {
                Future<Integer> waiting = lane.waits();
                // Long enough that the device's own thread has left the device to it.
                pass();
                lane.sends();
                isOne(waiting);
                lane.other.post(
                        it -> it.read(there.slice(), lane.memory.remote()).id(7).signaled());

                assertThat(sent.await(LONG, done -> assertThat(done.isSuccess()).isTrue()))
                        .isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"progress=caller", "progress=thread", "path=portable"})
    void whatAnotherThreadPostsLeavesWhileOneWaits(String options) throws Exception {
        try (Device device = open(options)) {
            ProtectionDomain domain = device.protectionDomain();
            Lane waits = new Lane(device, domain);
            Lane posts = new Lane(device, domain);
            Future<Integer> waiting = waits.waits();
            for (long round = 1; round <= POSTS; round++) {
                pass();
                long value = round;
                posts.memory.segment().set(ValueLayout.JAVA_LONG, 0, value);
                posts.near.post(it -> it.write(posts.memory.slice(), there.remote()));

                Wait.until(
                        "it has arrived",
                        LONG,
                        () -> there.segment().get(ValueLayout.JAVA_LONG, 0) == value);
            }
            waits.sends();
            isOne(waiting);
        }
    }

    /// Each is posted when the one before has arrived: then the thread that waits has just taken
    /// its acknowledgement and is about to sleep again.
    @ParameterizedTest
    @ValueSource(strings = {"progress=caller&spin=0", "progress=thread&spin=0", "progress=caller"})
    void whatAnotherThreadPostsLeavesWhileOneIsAboutToSleep(String options) throws Exception {
        try (Device device = open(options)) {
            ProtectionDomain domain = device.protectionDomain();
            Lane waits = new Lane(device, domain);
            Lane posts = new Lane(device, domain);
            Future<Integer> waiting = waits.waits();
            for (long round = 1; round <= HASTY_POSTS; round++) {
                long value = round;
                long endNs = System.nanoTime() + LONG.toNanos();
                posts.memory.segment().set(ValueLayout.JAVA_LONG, 0, value);
                while (!posts.near.post(it -> it.write(posts.memory.slice(), there.remote()))) {
                    assertThat(System.nanoTime()).as("acknowledgements").isLessThan(endNs);
                }
                while ((long) ARRIVED.getVolatile(there.segment(), 0L) != value) {
                    assertThat(System.nanoTime()).as("the WRITE left").isLessThan(endNs);
                }
            }
            waits.sends();
            isOne(waiting);
        }
    }

    /// The thread that polls takes the refusal and goes away: the thread that slept meanwhile must
    /// send again when the receiver may be ready.
    @ParameterizedTest
    @ValueSource(strings = {"progress=caller", "progress=thread", "path=portable"})
    void aDeadlineThatAPollingThreadLeavesIsKept(String options) throws Exception {
        try (Device device = open(options)) {
            ProtectionDomain domain = device.protectionDomain();
            Lane waits = new Lane(device, domain);
            Lane posts = new Lane(device, domain, it -> it.timeout(0).minRnrTimer(RNR_CODE));
            Future<Integer> waiting = waits.waits();
            for (int i = 1; i <= WAKES; i++) {
                int refusals = i;
                pass();
                posts.near.post(it -> it.send(posts.memory.slice()));
                while (device.counters().getOrDefault("rcvd_rnr_err", 0L) < refusals) {
                    pollsForAWhile(posts);
                }
                posts.other.postReceive(it -> it.receive(there.slice()));

                assertThat(sent.await(LONG, _ -> {})).isEqualTo(1);
            }
            waits.sends();
            isOne(waiting);
        }
    }

    /// Fast enough to take a packet before a thread that sleeps can.
    private static void pollsForAWhile(Lane lane) {
        for (int i = 0; i < 50; i++) {
            lane.queue.poll(1, _ -> {});
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"progress=caller", "progress=thread", "path=portable"})
    void aThreadIsWokenByWhatAnotherThreadDoes(String options) throws Exception {
        try (Device device = open(options)) {
            ProtectionDomain domain = device.protectionDomain();
            for (int i = 0; i < WAKES; i++) {
                Lane lane = new Lane(device, domain);
                Future<Integer> waiting = lane.waits();
                pass();
                lane.near.modify(QueuePairState.ERROR, it -> {});

                isOne(waiting);
            }
        }
    }
}
