package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.Connection;
import dev.verbena.conformance.Setup;
import dev.verbena.conformance.Side;
import dev.verbena.testkit.Wait;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.QueuePairState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Events of queues and devices, and the thread that fetches them.
@Tag("inprocess")
@Timeout(60)
class InProcessEventsTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    /// Called before a queue is armed.
    private final AtomicReference<Runnable> beforeArming = new AtomicReference<>(() -> {});

    private final InProcessWorld world =
            new InProcessWorld(
                    false,
                    context ->
                            new InProcessFastPath(context) {
                                @Override
                                int arm(long queue, boolean solicitedOnly) {
                                    beforeArming.getAndSet(() -> {}).run();
                                    return super.arm(queue, solicitedOnly);
                                }
                            });
    private final Connection connection = Setup.of(world).connect();
    private final Side left = connection.left();
    private final CompletionQueue queue = left.sent().queue();

    @AfterEach
    void close() {
        world.close();
    }

    private void write() {
        left.post(
                batch -> batch.write(left.slice(0, 8), connection.right().remote(0, 8)).signaled());
    }

    @Test
    void aWaitingThreadIsWoken() throws Exception {
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Integer> waiting =
                    CompletableFuture.supplyAsync(() -> queue.await(LONG, it -> {}));
            write();
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        }
    }

    @Test
    void aCompletionThatCameBeforeTheQueueWasArmedIsFound() {
        long startNs = System.nanoTime();
        beforeArming.set(
                () -> {
                    write();
                    world.advance(Duration.ofMillis(100));
                });

        assertThat(queue.await(LONG, it -> {})).isEqualTo(1);
        assertThat(System.nanoTime() - startNs).isLessThan(LONG.toNanos());
    }

    @Test
    void anErrorOfAListenerIsReportedAndTheThreadGoesOn() {
        AtomicReference<Throwable> reported = new AtomicReference<>();
        AtomicInteger calls = new AtomicInteger();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, thrown) -> {
                    reported.set(thrown);
                    throw (AssertionError) thrown;
                });
        try {
            queue.onNotification(
                    () -> {
                        calls.incrementAndGet();
                        throw new AssertionError("thrown on purpose");
                    });
            for (int i = 1; i <= 2; i++) {
                int expected = i;
                queue.arm(Notification.ANY);
                write();
                Wait.until("the listener is called", LONG, () -> calls.get() == expected);
                left.sent().next().succeeded();
            }
            Wait.until("the error is reported", LONG, () -> reported.get() != null);
            assertThat(reported.get()).hasMessage("thrown on purpose");
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    /// The driver would wait for the acknowledgement, and say that there was none.
    @Test
    void aQueueWithFetchedEventsCanBeClosed() {
        AtomicInteger calls = new AtomicInteger();
        queue.onNotification(calls::incrementAndGet);
        queue.arm(Notification.ANY);
        write();
        Wait.until("the listener is called", LONG, () -> calls.get() == 1);
        left.sent().next().succeeded();

        left.pair().close();
        queue.close();

        assertThat(world.driver().misuse().found()).isEmpty();
    }

    @Test
    void aQueuePairWithFetchedEventsCanBeClosed() {
        left.pair().modify(QueuePairState.SEND_QUEUE_DRAINED, it -> it.drainNotify(true));
        AtomicReference<AsyncEvent> event = new AtomicReference<>();
        Wait.until(
                "the event",
                LONG,
                () -> {
                    AsyncEvent next = left.device().pollEvent();
                    if (next != null && next.type() == AsyncEvent.Type.SEND_QUEUE_DRAINED) {
                        event.set(next);
                    }
                    return event.get() != null;
                });
        assertThat(event.get().subject()).isEqualTo(left.pair().number());

        left.pair().close();

        assertThat(world.driver().misuse().found()).isEmpty();
    }

    @Test
    void thePortIsDescribedByTheFilesOfTheKernel() {
        assertThat(left.device().gids(1)).hasSize(1);
        assertThat(left.device().port(1).bitsPerSecond()).isEqualTo(100_000_000_000L);
        assertThat(left.device().partitionKeys(1)).isEqualTo(InProcessWorld.PARTITION_KEYS);
    }
}
