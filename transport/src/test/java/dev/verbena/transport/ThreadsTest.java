package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Wait;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.WindowType;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Several threads on devices that another thread drives.
@Timeout(60)
class ThreadsTest {
    private static final long SEED = 5;
    private static final int THREADS = 4;
    private static final long RUN_NS = 1_000_000_000;
    private static final Duration LONG = Duration.ofSeconds(20);

    /// Longer than any test waits for a thread: what ends such a wait is not its own limit.
    private static final Duration FOREVER = Duration.ofHours(1);

    private final DrivenNetwork network = new DrivenNetwork(SEED);
    private final TransportDevice left = network.open("left");
    private final TransportDevice right = network.open("right");
    private final ProtectionDomain here = left.protectionDomain();
    private final ProtectionDomain there = right.protectionDomain();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() throws InterruptedException {
        left.close();
        right.close();
        network.close();
        threads.shutdownNow();
        assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void everyThreadGetsItsOwnAndNothingIsLost() throws Exception {
        MemoryRegion counter = there.allocate(8, Access.REMOTE_ATOMIC);
        RemoteSlice remote = counter.remote();
        long endNs = System.nanoTime() + RUN_NS;
        List<Callable<List<Long>>> programs = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            long seed = SEED + i;
            programs.add(() -> addUntil(endNs, seed, remote));
        }
        List<Long> seen = new ArrayList<>();
        for (Future<List<Long>> program : threads.invokeAll(programs)) {
            seen.addAll(program.get(30, TimeUnit.SECONDS));
        }
        long total = counter.segment().get(ValueLayout.JAVA_LONG, 0);
        assertThat(total).as("additions, seed " + SEED).isGreaterThan(THREADS);
        assertThat(seen.stream().mapToLong(Long::longValue).sorted())
                .containsExactlyElementsOf(LongStream.range(0, total).boxed().toList());
        counter.close();
        assertThat(List.of(left, right))
                .allSatisfy(
                        device -> {
                            assertThat(device.engine().holds.work.used()).isZero();
                            assertThat(device.engine().memory.size()).isZero();
                            assertThat(device.engine().windows.size()).isZero();
                        });
    }

    /// Adds 1 again and again over a connection of its own, and makes and closes things between;
    /// returns all values that the counter had before.
    private List<Long> addUntil(long endNs, long seed, RemoteSlice counter) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Long> seen = new ArrayList<>();
        long posted = 0;
        while (System.nanoTime() < endNs) {
            try (CompletionQueue done = left.completionQueue(16);
                    CompletionQueue unused = right.completionQueue(1);
                    MemoryRegion old = here.allocate(8 * 8, Access.LOCAL_WRITE);
                    QueuePair one = here.queuePair(QueuePairType.RC, o -> o.completions(done));
                    QueuePair other =
                            there.queuePair(
                                    QueuePairType.RC,
                                    o ->
                                            o.completions(unused)
                                                    .access(Set.of(Access.REMOTE_ATOMIC)))) {
                one.connect(other.endpoint());
                other.connect(one.endpoint());
                for (int round = random.nextInt(50); round >= 0; round--) {
                    int count = 1 + random.nextInt(8);
                    add(one, old, counter, posted, count);
                    await(done, posted, count, random.nextBoolean());
                    for (int i = 0; i < count; i++) {
                        seen.add(old.segment().getAtIndex(ValueLayout.JAVA_LONG, i));
                    }
                    posted += count;
                }
                left.counters();
                here.window(WindowType.TYPE_2).close();
                there.sharedReceiveQueue(3).close();
            }
        }
        return seen;
    }

    private static void add(
            QueuePair pair, MemoryRegion old, RemoteSlice counter, long firstId, int count) {
        SendBatch batch = pair.sends();
        for (int i = 0; i < count; i++) {
            batch.fetchAndAdd(counter.address(), counter.key(), 1)
                    .local(old, 8L * i, 8)
                    .id(firstId + i)
                    .signaled();
        }
        assertThat(batch.post()).isTrue();
    }

    private static void await(CompletionQueue done, long firstId, int count, boolean isSpinning) {
        List<String> completed = new ArrayList<>();
        long giveUpNs = System.nanoTime() + LONG.toNanos();
        while (completed.size() < count && System.nanoTime() < giveUpNs) {
            if (isSpinning) {
                done.poll(16, it -> completed.add(it.id() + " " + it.status()));
            } else {
                done.await(LONG, it -> completed.add(it.id() + " " + it.status()));
            }
        }
        assertThat(completed)
                .containsExactlyElementsOf(
                        LongStream.range(firstId, firstId + count)
                                .mapToObj(id -> id + " SUCCESS")
                                .toList());
    }

    @Test
    void aWaitingThreadIsWokenByTheCompletion() throws Exception {
        CompletionQueue done = left.completionQueue(1);
        CompletionQueue came = right.completionQueue(1);
        MemoryRegion region = there.allocate(8, Access.LOCAL_WRITE);
        QueuePair one = here.queuePair(QueuePairType.RC, o -> o.completions(done));
        QueuePair other = there.queuePair(QueuePairType.RC, o -> o.completions(came));
        one.connect(other.endpoint());
        other.connect(one.endpoint());
        for (int i = 0; i < 200; i++) {
            other.postReceive(it -> it.receive(region.slice()));
            // In turn: it sleeps when the message is sent, or may not have begun to wait.
            Future<Integer> waiting =
                    i % 2 == 0
                            ? waitingOn(came)
                            : threads.submit(() -> came.await(FOREVER, _ -> {}));
            one.post(it -> it.send().signaled());
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(done.await(LONG, _ -> {})).isEqualTo(1);
        }
    }

    @Test
    void closingTheDeviceEndsAWait() throws Exception {
        CompletionQueue queue = left.completionQueue(1);
        endsAWait(queue, left::close, "left: the device was closed");
    }

    @Test
    void closingTheDeviceEndsWhateverUsesIt() throws Exception {
        MemoryRegion counter = there.allocate(8, Access.REMOTE_ATOMIC);
        RemoteSlice remote = counter.remote();
        List<Future<?>> programs = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            boolean isSpinning = i % 2 == 0;
            programs.add(threads.submit(() -> addForEver(remote, isSpinning)));
        }
        Wait.until(
                "the programs have added 100",
                LONG,
                () -> counter.segment().get(ValueLayout.JAVA_LONG, 0) >= 100);
        left.close();
        assertThat(programs)
                .allSatisfy(
                        program ->
                                assertThatThrownBy(() -> program.get(30, TimeUnit.SECONDS))
                                        .hasCauseInstanceOf(ClosedException.class));
    }

    private void addForEver(RemoteSlice counter, boolean isSpinning) {
        try (CompletionQueue done = left.completionQueue(16);
                CompletionQueue unused = right.completionQueue(1);
                MemoryRegion old = here.allocate(8 * 8, Access.LOCAL_WRITE);
                QueuePair one = here.queuePair(QueuePairType.RC, o -> o.completions(done));
                QueuePair other =
                        there.queuePair(
                                QueuePairType.RC,
                                o -> o.completions(unused).access(Set.of(Access.REMOTE_ATOMIC)))) {
            one.connect(other.endpoint());
            other.connect(one.endpoint());
            for (long posted = 0; ; posted += 8) {
                add(one, old, counter, posted, 8);
                await(done, posted, 8, isSpinning);
            }
        }
    }

    @Test
    void closingTheQueueEndsAWait() throws Exception {
        CompletionQueue queue = left.completionQueue(1);
        endsAWait(queue, queue::close, "cq 1: it was closed");
    }

    private void endsAWait(CompletionQueue queue, Runnable closing, String message)
            throws Exception {
        Future<Integer> waiting = waitingOn(queue);
        closing.run();
        assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ClosedException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aBatchWhoseQueuePairWasClosedSaysSo() {
        CompletionQueue queue = left.completionQueue(1);
        QueuePair pair = here.queuePair(QueuePairType.RC, o -> o.completions(queue));
        SendBatch batch = pair.sends();
        pair.close();
        // Not given to another queue pair while a user may still hold it.
        QueuePair next = here.queuePair(QueuePairType.RC, o -> o.completions(queue));
        assertThat(next.sends()).isNotSameAs(batch);
        assertThatThrownBy(batch::send)
                .isInstanceOf(ClosedException.class)
                .hasMessageStartingWith(pair + ": it was closed");
    }

    @Test
    void closingTheQueueEndsTheWaitsOfAllThreads() throws Exception {
        CompletionQueue queue = left.completionQueue(1);
        List<Future<Integer>> waiting = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            waiting.add(waitingOn(queue));
        }
        queue.close();
        assertThat(waiting)
                .allSatisfy(
                        it ->
                                assertThatThrownBy(() -> it.get(30, TimeUnit.SECONDS))
                                        .hasCauseInstanceOf(ClosedException.class));
    }

    /// A thread that waits by now.
    private Future<Integer> waitingOn(CompletionQueue queue) throws InterruptedException {
        AtomicReference<Thread> waiter = new AtomicReference<>();
        CountDownLatch begun = new CountDownLatch(1);
        Future<Integer> waiting =
                threads.submit(
                        () -> {
                            waiter.set(Thread.currentThread());
                            begun.countDown();
                            return queue.await(FOREVER, _ -> {});
                        });
        begun.await();
        Wait.until(
                "the thread waits",
                LONG,
                () -> waiter.get().getState() == Thread.State.TIMED_WAITING);
        return waiting;
    }
}
