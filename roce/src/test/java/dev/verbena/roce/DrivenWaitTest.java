package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Wait;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.spi.DrivenWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Threads that wait for conditions of their own, and drive the device meanwhile.
@Timeout(120)
@Tag("sockets")
class DrivenWaitTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final long FOREVER_NS = Duration.ofHours(1).toNanos();
    private static final int THREADS = 3;
    private static final int ROUNDS = 200;

    private static Device open(String options) {
        return Devices.open("roce://" + TestAddresses.ipv4() + "?" + options);
    }

    private static DrivenWait waitOf(Device device) {
        return DrivenWait.of(device).orElseThrow();
    }

    /// A condition, and the thread that waits for it.
    private static final class Waiter {
        private final DrivenWait wait;
        private final AtomicBoolean isOver = new AtomicBoolean();
        private final AtomicBoolean hasBegun = new AtomicBoolean();

        Waiter(DrivenWait wait) {
            this.wait = wait;
        }

        boolean await() {
            hasBegun.set(true);
            while (!isOver.get() && !Thread.currentThread().isInterrupted()) {
                wait.await(FOREVER_NS, isOver::get);
            }
            return isOver.get();
        }

        void end() {
            isOver.set(true);
            wait.wake();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"progress=thread", "progress=caller", "path=portable"})
    void anotherThreadEndsTheWaitOfEach(String options) throws Exception {
        try (Device device = open(options);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Waiter> waiters = new ArrayList<>();
            List<Future<Boolean>> waiting = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Waiter waiter = new Waiter(waitOf(device));
                waiters.add(waiter);
                waiting.add(threads.submit(waiter::await));
                Wait.until("it has begun", LONG, waiter.hasBegun::get);
            }
            for (int i = THREADS - 1; i >= 0; i--) {
                Wait.step();
                waiters.get(i).end();
                assertThat(waiting.get(i).get(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    /// With `progress=caller` no other thread moves a packet.
    @ParameterizedTest
    @ValueSource(strings = {"progress=thread", "progress=caller", "path=portable"})
    void aThreadThatWaitsReceivesAndAnswers(String options) throws Exception {
        try (Device device = open(options);
                Device peer = open("progress=thread");
                CompletionQueue near = device.completionQueue(64);
                CompletionQueue far = peer.completionQueue(64);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            QueuePair here = pair(device, near);
            QueuePair there = pair(peer, far);
            here.connect(there.endpoint());
            there.connect(here.endpoint());
            Waiter waiter = new Waiter(waitOf(device));
            near.onNotification(waiter::end);
            Future<Integer> answering = threads.submit(() -> answer(waiter, near, here));
            int answers = 0;
            for (int i = 0; i < ROUNDS; i++) {
                there.receives().receive().id(1).post();
                there.sends().send().id(2).post();
                answers += far.await(LONG, _ -> {});
            }
            assertThat(answers).isEqualTo(ROUNDS);
            assertThat(answering.get(60, TimeUnit.SECONDS)).isEqualTo(ROUNDS);
        }
    }

    private static QueuePair pair(Device device, CompletionQueue queue) {
        QueuePair pair =
                device.protectionDomain().queuePair(QueuePairType.RC, it -> it.completions(queue));
        pair.receives().receive().id(1).post();
        return pair;
    }

    private static int answer(Waiter waiter, CompletionQueue queue, QueuePair pair) {
        int answers = 0;
        while (answers < ROUNDS) {
            queue.arm(Notification.ANY);
            while (answers < ROUNDS && queue.poll() != null) {
                pair.receives().receive().id(1).post();
                pair.sends().send().id(2).post();
                answers++;
            }
            if (answers < ROUNDS && !waiter.await()) {
                break;
            }
            waiter.isOver.set(false);
        }
        // The last answer leaves with the next turn, which is the program's with progress=caller.
        queue.poll();
        return answers;
    }

    @ParameterizedTest
    @ValueSource(strings = {"progress=thread", "progress=caller"})
    void aClosedDeviceRefusesTheWait(String options) {
        Device device = open(options);
        DrivenWait wait = waitOf(device);
        device.close();
        assertThatThrownBy(() -> wait.await(FOREVER_NS, () -> false))
                .isInstanceOf(ClosedException.class);
    }
}
