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
class GateTest {
    @Test
    void noThreadEntersAShutGate() {
        Gate gate = new Gate();
        assertThat(gate.enter()).isTrue();
        gate.leave();

        assertThat(gate.shut()).isTrue();

        assertThat(gate.enter()).isFalse();
        assertThat(gate.shut()).isFalse();
    }

    @Test
    void virtualThreadsThatWaitSleepThoughTheyAreInterrupted() throws InterruptedException {
        Gate gate = new Gate();
        AtomicBoolean isStillInterrupted = new AtomicBoolean();
        assertThat(gate.enter()).isTrue();
        Thread waiting =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    Thread.currentThread().interrupt();
                                    gate.enter();
                                    isStillInterrupted.set(Thread.currentThread().isInterrupted());
                                });

        Wait.until(
                "it sleeps",
                Duration.ofSeconds(30),
                () -> waiting.getState() == Thread.State.TIMED_WAITING);

        gate.leave();
        waiting.join();
        assertThat(isStillInterrupted).isTrue();
    }

    @Test
    void shuttingWaitsForTheThreadInside() throws InterruptedException {
        Gate gate = new Gate();
        AtomicBoolean isInside = new AtomicBoolean(true);
        CountDownLatch shut = new CountDownLatch(1);
        assertThat(gate.enter()).isTrue();

        Thread.ofPlatform()
                .start(
                        () -> {
                            if (gate.shut() && !isInside.get()) {
                                shut.countDown();
                            }
                        });

        assertThat(shut.await(50, TimeUnit.MILLISECONDS)).isFalse();
        isInside.set(false);
        gate.leave();
        assertThat(shut.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
