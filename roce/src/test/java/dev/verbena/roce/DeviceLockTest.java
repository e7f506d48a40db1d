package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@Tag("sockets")
class DeviceLockTest {
    private static final int THREADS = 2 * Runtime.getRuntime().availableProcessors();

    private final DeviceLock lock = new DeviceLock();
    private final AtomicInteger stillInterrupted = new AtomicInteger();

    @Test
    void interruptedVirtualThreadsThatWaitLeaveTheirCarriersToOthers() throws Exception {
        CountDownLatch begun = new CountDownLatch(THREADS);
        CountDownLatch other = new CountDownLatch(1);
        List<Thread> waiting = new ArrayList<>();
        lock.enter();
        try {
            for (int i = 0; i < THREADS; i++) {
                waiting.add(Thread.ofVirtual().start(() -> enterInterrupted(begun)));
            }
            assertThat(begun.await(30, TimeUnit.SECONDS)).as("all run").isTrue();

            Thread.ofVirtual().start(other::countDown);

            assertThat(other.await(30, TimeUnit.SECONDS)).as("another runs").isTrue();
        } finally {
            lock.exit();
        }
        for (Thread thread : waiting) {
            thread.join();
        }
        assertThat(stillInterrupted).hasValue(THREADS);
    }

    @Test
    void aThreadThatEndsInsideKeepsNobodyOut() throws InterruptedException {
        Thread.ofPlatform().start(lock::enter).join();
        assertThat(lock.isAbandoned()).isFalse();

        lock.enter();

        assertThat(lock.isAbandoned()).isTrue();
        lock.exit();
    }

    private void enterInterrupted(CountDownLatch begun) {
        begun.countDown();
        Thread.currentThread().interrupt();
        lock.enter();
        lock.exit();
        if (Thread.currentThread().isInterrupted()) {
            stillInterrupted.incrementAndGet();
        }
    }
}
