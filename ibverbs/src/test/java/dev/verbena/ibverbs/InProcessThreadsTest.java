package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.conformance.Connection;
import dev.verbena.conformance.Setup;
import dev.verbena.conformance.Side;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.WrongStateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What several threads do at a time: it works, or an exception names the mistake.
@Tag("inprocess")
@Timeout(60)
class InProcessThreadsTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int THREADS = 3;
    private static final int REQUESTS = 600;
    private static final int BATCH = 6;
    private static final int PORT = 7471;

    private final InProcessWorld world = new InProcessWorld(false);
    private final Connection connection = Setup.of(world).connect();
    private final Side left = connection.left();
    private final CompletionQueue queue = left.sent().queue();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() throws InterruptedException {
        world.close();
        threads.shutdownNow();
        assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void eachCompletionGoesToOneOfThePollers() throws Exception {
        everyCompletionIsSeenOnce(seen -> queue.poll(3, it -> seen.add(it.id())));
    }

    @Test
    void eachCompletionGoesToOneOfTheWaiters() throws Exception {
        Duration step = Duration.ofSeconds(2);
        everyCompletionIsSeenOnce(seen -> queue.await(step, it -> seen.add(it.id())));
    }

    private interface Taker {
        int take(List<Long> seen);
    }

    private void everyCompletionIsSeenOnce(Taker taker) throws Exception {
        AtomicInteger count = new AtomicInteger();
        List<Future<List<Long>>> programs = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            programs.add(
                    threads.submit(
                            () -> {
                                List<Long> seen = new ArrayList<>();
                                while (count.get() < REQUESTS) {
                                    count.addAndGet(taker.take(seen));
                                }
                                return seen;
                            }));
        }
        for (int id = 0; id < REQUESTS; id += BATCH) {
            postBatch(id);
        }
        List<Long> all = new ArrayList<>();
        for (Future<List<Long>> program : programs) {
            all.addAll(program.get(30, TimeUnit.SECONDS));
        }
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, REQUESTS).boxed().toList());
    }

    @SuppressWarnings("ThreadPriorityCheck") // until the pollers have made room
    private void postBatch(int first) {
        while (left.pair().sendRoom() < BATCH) {
            Thread.yield();
        }
        left.post(
                batch -> {
                    for (int i = 0; i < BATCH; i++) {
                        batch.write(left.slice(0, 8), connection.right().remote(0, 8))
                                .id(first + i)
                                .signaled();
                    }
                });
    }

    @Test
    void aCompletionStaysWhileAnotherThreadPolls() throws Exception {
        postBatch(0);
        AtomicBoolean isOther = new AtomicBoolean();
        List<Long> here = new ArrayList<>();
        while (here.isEmpty()) {
            queue.poll(
                    1,
                    mine -> {
                        long id = mine.id();
                        isOther.set(pollsElsewhere());
                        here.add(mine.id());
                        assertThat(mine.id()).isEqualTo(id);
                    });
        }
        assertThat(isOther).isTrue();
    }

    private boolean pollsElsewhere() {
        try {
            return threads.submit(() -> queue.poll(1, it -> {})).get(20, TimeUnit.SECONDS) == 1;
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void twoThreadsThatFillOneSendBatchAreTold() throws Exception {
        SendBatch mine = left.pair().sends();

        assertThatThrownBy(() -> threads.submit(() -> left.pair().sends()).get())
                .hasCauseInstanceOf(WrongStateException.class)
                .hasMessageContaining("has begun a batch")
                .hasMessageContaining(left.pair().toString());
        assertThatThrownBy(() -> threads.submit(() -> mine.send()).get())
                .hasCauseInstanceOf(WrongStateException.class);

        mine.abort();
        threads.submit(() -> left.pair().sends().abort()).get();
        connection.works();
    }

    @Test
    void twoThreadsThatFillOneReceiveBatchAreTold() throws Exception {
        ReceiveBatch mine = left.pair().receives();

        assertThatThrownBy(() -> threads.submit(() -> left.pair().receives()).get())
                .hasCauseInstanceOf(WrongStateException.class)
                .hasMessageContaining("has begun a batch");

        mine.abort();
        connection.works();
    }

    @Test
    void aBatchOfAThreadThatHasEndedIsGivenUp() throws Exception {
        Thread.ofPlatform().start(() -> left.pair().sends().send()).join();

        connection.works();
    }

    @Test
    void closingTheQueueEndsTheWaitsOfAllThreads() {
        List<Future<Integer>> waiting = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            waiting.add(threads.submit(() -> queue.await(LONG.multipliedBy(9), it -> {})));
        }

        queue.close();

        assertThat(waiting)
                .allSatisfy(
                        it ->
                                assertThatThrownBy(() -> it.get(30, TimeUnit.SECONDS))
                                        .hasCauseInstanceOf(ClosedException.class));
    }

    /// A thread that finds the request taken goes on waiting: it does not come back early with
    /// nothing.
    @Test
    void eachConnectionRequestGoesToOneOfTheAcceptors() throws Exception {
        try (Listener listener = connection.right().device().listen(PORT, THREADS)) {
            List<Future<ConnectionRequest>> acceptors = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                acceptors.add(threads.submit(() -> listener.await(LONG)));
            }
            Address there = Address.to(connection.right().pair().endpoint());
            for (int i = 0; i < THREADS; i++) {
                var pair = left.domain().queuePair(QueuePairType.RC, it -> it.completions(queue));
                left.device().connect(pair, there, PORT);
            }

            List<ConnectionRequest> requests = new ArrayList<>();
            for (Future<ConnectionRequest> acceptor : acceptors) {
                requests.add(acceptor.get(30, TimeUnit.SECONDS));
            }

            assertThat(requests).doesNotContainNull().doesNotHaveDuplicates();
            requests.forEach(ConnectionRequest::reject);
        }
    }

    @Test
    void aWaitThatIsRousedForNothingGoesOn() throws Exception {
        IbvDevice device = (IbvDevice) left.device();
        Awaited awaited = new Awaited(device) {};
        AtomicInteger looks = new AtomicInteger();
        AtomicBoolean isDecided = new AtomicBoolean();
        Future<Boolean> waiting =
                threads.submit(
                        () ->
                                awaited.await(
                                                LONG,
                                                () -> {
                                                    looks.incrementAndGet();
                                                    return isDecided.get();
                                                })
                                        && isDecided.get());
        // It has looked, and waits, when the lock is free after the first look.
        while (looks.get() < 3 && !waiting.isDone()) {
            rouse(device, awaited);
        }
        isDecided.set(true);
        rouse(device, awaited);

        assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(looks.get()).isGreaterThanOrEqualTo(3);
    }

    private static void rouse(IbvDevice device, Awaited awaited) {
        device.context.lock.lock();
        try {
            awaited.rouse();
        } finally {
            device.context.lock.unlock();
        }
    }
}
