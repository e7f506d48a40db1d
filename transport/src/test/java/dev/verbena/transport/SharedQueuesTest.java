package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Wait;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Several threads on one queue pair and on one completion queue, and what ends a wait.
@Timeout(60)
class SharedQueuesTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int REQUESTS = 2_000;

    private final DrivenNetwork network = new DrivenNetwork(7);
    private final TransportDevice left = network.open("left");
    private final TransportDevice right = network.open("right");
    private final ProtectionDomain here = left.protectionDomain();
    private final ProtectionDomain there = right.protectionDomain();
    private final CompletionQueue done = left.completionQueue(1024);
    private final CompletionQueue came = right.completionQueue(1024);
    private final MemoryRegion near = here.allocate(64, Access.LOCAL_WRITE);
    private final MemoryRegion far = there.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    private final QueuePair pair = here.queuePair(QueuePairType.RC, o -> o.completions(done));
    private final QueuePair peer = there.queuePair(QueuePairType.RC, o -> o.completions(came));
    private final ExecutorService threads = Executors.newCachedThreadPool();

    SharedQueuesTest() {
        pair.connect(peer.endpoint());
        peer.connect(pair.endpoint());
    }

    @AfterEach
    void close() throws InterruptedException {
        left.close();
        right.close();
        network.close();
        threads.shutdownNow();
        assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void everyCompletionGoesToOneOfTheThreadsThatWait() throws Exception {
        ConcurrentLinkedQueue<Long> seen = new ConcurrentLinkedQueue<>();
        List<Future<?>> pollers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            boolean isSpinning = i == 0;
            pollers.add(threads.submit(() -> takeAll(seen, isSpinning)));
        }
        post(0, REQUESTS);
        for (Future<?> poller : pollers) {
            poller.get(30, TimeUnit.SECONDS);
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(ids(REQUESTS));
    }

    @Test
    void requestsOfSeveralThreadsAllCompleteOnce() throws Exception {
        ConcurrentLinkedQueue<Long> seen = new ConcurrentLinkedQueue<>();
        Future<?> poller = threads.submit(() -> takeAll(seen, false));
        List<Future<?>> posters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            long first = (long) i * REQUESTS / 4;
            posters.add(threads.submit(() -> post(first, REQUESTS / 4)));
        }
        for (Future<?> poster : posters) {
            poster.get(30, TimeUnit.SECONDS);
        }
        poller.get(30, TimeUnit.SECONDS);
        assertThat(seen).containsExactlyInAnyOrderElementsOf(ids(REQUESTS));
        assertThat(pair.state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    private static List<Long> ids(int count) {
        return LongStream.range(0, count).boxed().toList();
    }

    private void takeAll(ConcurrentLinkedQueue<Long> seen, boolean isSpinning) {
        long giveUpNs = System.nanoTime() + LONG.toNanos();
        while (seen.size() < REQUESTS && System.nanoTime() < giveUpNs) {
            if (isSpinning) {
                done.poll(4, it -> seen.add(it.isSuccess() ? it.id() : -1));
            } else {
                done.await(Duration.ofMillis(20), it -> seen.add(it.isSuccess() ? it.id() : -1));
            }
        }
    }

    private void post(long firstId, int count) {
        long giveUpNs = System.nanoTime() + LONG.toNanos();
        for (int i = 0; i < count && System.nanoTime() < giveUpNs; ) {
            long id = firstId + i;
            if (pair.post(it -> it.write(near.slice(), far.remote()).id(id).signaled())) {
                i++;
            }
        }
    }

    @Test
    void anInterruptEndsAWaitAndStaysSet() throws Exception {
        AtomicReference<Thread> waiter = new AtomicReference<>();
        Future<Boolean> waiting =
                threads.submit(
                        () -> {
                            waiter.set(Thread.currentThread());
                            assertThat(done.await(Duration.ofHours(1), _ -> {})).isZero();
                            return Thread.interrupted();
                        });
        Wait.until("it waits", LONG, () -> isAsleep(waiter.get()));
        waiter.get().interrupt();
        assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
    }

    private static boolean isAsleep(Thread thread) {
        return thread != null && thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Test
    void anErrorOfAListenerStopsNothing() {
        came.onNotification(
                () -> {
                    throw new AssertionError("a mistake of the program");
                });
        for (int i = 0; i < 3; i++) {
            came.arm(Notification.ANY);
            peer.postReceive(it -> it.receive(far.slice()));
            pair.post(it -> it.send(near.slice()).signaled());
            done.await(LONG, it -> assertThat(it.isSuccess()).as(it.toString()).isTrue());
            assertThat(came.await(LONG, _ -> {})).isOne();
        }
        assertThat(right.counters().get("failed_listeners")).isEqualTo(3);
    }

    @Test
    void aDeviceThatFailsEndsItsRequestsAndWakesItsThreads() throws Exception {
        CompletionQueue other = left.completionQueue(1);
        Future<Integer> waiting = threads.submit(() -> other.await(Duration.ofHours(1), _ -> {}));
        peer.close();
        pair.post(it -> it.write(near.slice(), far.remote()).signaled());
        try (var _ = left.engine().life.entry.enter()) {
            left.fail(new InternalError("a fault for this test"));
        }

        List<CompletionStatus> statuses = new ArrayList<>();
        done.await(LONG, it -> statuses.add(it.status()));
        assertThat(statuses).containsExactly(CompletionStatus.FLUSHED);
        assertThat(pair.state()).isEqualTo(QueuePairState.ERROR);
        AsyncEvent event = left.pollEvent();
        assertThat(event).isNotNull();
        assertThat(event.type()).isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
        assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ClosedException.class)
                .hasMessageContaining("a fault for this test");
        assertThatThrownBy(left::protectionDomain).hasMessageContaining("close it and open it");
    }
}
