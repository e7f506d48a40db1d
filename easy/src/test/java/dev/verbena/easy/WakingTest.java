package dev.verbena.easy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Wait;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Threads in real time are woken by the event that they wait for. Their own limit is an hour, so
/// that a thread that sleeps until then fails the test.
@Timeout(60)
class WakingTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int THREADS = 4;

    /// All places of a channel: a thread has all of them, or waits for one.
    private static final int BATCH = RemoteOps.SLOTS;

    private interface Task {
        void run(Two two) throws Exception;
    }

    private static void withTwo(Task task) throws Exception {
        try (Device left = Devices.open("roce://127.0.61.3");
                Device right = Devices.open("roce://127.0.61.4");
                Two two = new Two(left, right, NodeSettings.DEFAULT)) {
            task.run(two);
        }
    }

    /// Runs a task on each thread; interrupts them when one fails or the time is over.
    private static <T> List<T> together(Callable<T> task)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<T>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(threads.submit(task));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : all) {
                results.add(one.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aReadThatIsDoneWakesItsThread() throws Exception {
        withTwo(
                two -> {
                    ExportedMemory owned = two.rightNode.export("table", 8);
                    RemoteMemory memory = two.left.memory("table").withLimit(HOUR);
                    for (long i = 0; i < 200; i++) {
                        owned.segment().copyFrom(MemorySegment.ofArray(new long[] {i}));
                        long[] copy = {-1};
                        memory.read(0, MemorySegment.ofArray(copy));
                        assertThat(copy[0]).isEqualTo(i);
                    }
                });
    }

    @Test
    void aPlaceThatIsFreeWakesTheThreadThatNeedsIt() throws Exception {
        withTwo(
                two -> {
                    two.rightNode.export("table", 8L * BATCH);
                    RemoteMemory memory = two.left.memory("table").withLimit(HOUR);
                    AtomicInteger batches = new AtomicInteger();
                    together(
                            () -> {
                                for (int round = 0; round < 100; round++) {
                                    write(memory);
                                    batches.incrementAndGet();
                                }
                                return true;
                            });
                    assertThat(batches).hasValue(THREADS * 100);
                });
    }

    private static void write(RemoteMemory memory) throws IOException {
        RemoteMemory.Batch batch = memory.batch();
        for (int i = 0; i < BATCH; i++) {
            batch.write(8L * i, MemorySegment.ofArray(new long[] {i}));
        }
        batch.run();
    }

    @Test
    void theEndOfThePeerWakesEveryThreadThatReceives() throws Exception {
        withTwo(
                two -> {
                    List<Thread> receivers = new ArrayList<>();
                    List<@Nullable Object> ends = new ArrayList<>();
                    for (int i = 0; i < THREADS; i++) {
                        receivers.add(Thread.ofPlatform().start(() -> ends(two.left, ends)));
                    }
                    Wait.until(
                            "waiting threads",
                            Duration.ofSeconds(30),
                            () ->
                                    receivers.stream()
                                            .allMatch(
                                                    it ->
                                                            it.getState()
                                                                    == Thread.State.TIMED_WAITING));
                    two.right.close();
                    for (Thread receiver : receivers) {
                        receiver.join();
                    }
                    assertThat(ends).hasSize(THREADS).containsOnlyNulls();
                });
    }

    private static void ends(MessageChannel channel, List<@Nullable Object> ends) {
        @Nullable Object end;
        try {
            end = channel.receive(HOUR);
        } catch (IOException failed) {
            end = failed;
        }
        synchronized (ends) {
            ends.add(end);
        }
    }
}
