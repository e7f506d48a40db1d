package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Wait;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("inprocess")
class ObjectGuardTest {
    @Test
    void noThreadEntersAShutGate() {
        ObjectGuard guard = new ObjectGuard();
        assertThat(guard.enter()).isTrue();
        guard.leave();

        assertThat(guard.shut()).isTrue();

        assertThat(guard.enter()).isFalse();
        assertThat(guard.shut()).isFalse();
    }

    @Test
    void virtualThreadsThatWaitSleepThoughTheyAreInterrupted() throws InterruptedException {
        ObjectGuard guard = new ObjectGuard();
        AtomicBoolean isStillInterrupted = new AtomicBoolean();
        assertThat(guard.enter()).isTrue();
        Thread waiting =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    Thread.currentThread().interrupt();
                                    guard.enter();
                                    isStillInterrupted.set(Thread.currentThread().isInterrupted());
                                });

        Wait.until(
                "it sleeps",
                Duration.ofSeconds(30),
                () -> waiting.getState() == Thread.State.TIMED_WAITING);

        guard.leave();
        waiting.join();
        assertThat(isStillInterrupted).isTrue();
    }

    @Test
    void shuttingWaitsForTheThreadInside() throws InterruptedException {
        ObjectGuard guard = new ObjectGuard();
        AtomicBoolean isInside = new AtomicBoolean(true);
        CountDownLatch shut = new CountDownLatch(1);
        assertThat(guard.enter()).isTrue();

        Thread.ofPlatform()
                .start(
                        () -> {
                            if (guard.shut() && !isInside.get()) {
                                shut.countDown();
                            }
                        });

        assertThat(shut.await(50, TimeUnit.MILLISECONDS)).isFalse();
        isInside.set(false);
        guard.leave();
        assertThat(shut.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
