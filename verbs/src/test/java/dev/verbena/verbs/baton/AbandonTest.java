package dev.verbena.verbs.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.baton.BatonFailure.Reason;
import dev.verbena.verbs.spi.Baton;
import dev.verbena.verbs.spi.VirtualTime;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A scheduler that gives up, because one thread keeps the baton.
@Timeout(60)
class AbandonTest {
    private static final Words WORDS = new Words("test", "thread", "start it", "wait", "a limit");
    private static final long JOIN_MS = 20_000;

    /// Nothing ever happens in it.
    private static final class StandingTime implements VirtualTime {
        @Override
        public long nowNs() {
            return 0;
        }

        @Override
        public boolean step(long untilNs) {
            return false;
        }

        @Override
        public void advanceTo(long untilNs) {}

        @Override
        public boolean isIdle() {
            return true;
        }

        @Override
        public void pass(@Nullable Baton baton) {}
    }

    private final BatonScheduler scheduler =
            new BatonScheduler(new StandingTime(), 1, Duration.ofSeconds(1), WORDS);
    private final Runner waiting = new Runner("waiting");
    private final Runner busy = new Runner("busy");
    private final AtomicReference<Throwable> thrown = new AtomicReference<>();
    private final CountDownLatch isBusy = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    private void waitForTheOther() {
        try {
            scheduler.start(waiting);
            scheduler.awaitEnd(Duration.ofHours(1), busy::hasEnded);
        } catch (Stopped stopped) {
            thrown.set(stopped);
        }
        scheduler.ended(waiting, null);
    }

    private void keepTheBaton() {
        try {
            scheduler.start(busy);
            isBusy.countDown();
            mayEnd.await();
        } catch (Stopped | InterruptedException ignored) {
            // It ends either way.
        }
        scheduler.ended(busy, null);
    }

    /// The watching thread looks, and gives up a moment later: meanwhile the thread that it saw may
    /// have given the baton to another one, which then ends without giving it back.
    @Test
    void aThreadThatHasJustGivenTheBatonOnIsStoppedToo() throws InterruptedException {
        Thread first = new Thread(this::waitForTheOther);
        Thread second = new Thread(this::keepTheBaton);
        waiting.thread(first);
        busy.thread(second);
        scheduler.add(waiting);
        scheduler.add(busy);
        first.start();
        second.start();
        scheduler.begin();
        isBusy.await();
        while (first.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        scheduler.abandon(waiting, new BatonFailure(Reason.HELD, "waiting", "held", null));
        mayEnd.countDown();
        second.join(JOIN_MS);
        first.join(JOIN_MS);

        assertThat(first.isAlive()).as("the thread that waits").isFalse();
        assertThat(thrown.get()).isInstanceOf(Stopped.class);
    }
}
