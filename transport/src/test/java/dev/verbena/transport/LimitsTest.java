package dev.verbena.transport;

import static dev.verbena.transport.Duo.LEFT;
import static dev.verbena.transport.Duo.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WrongStateException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// What happens at the limits of a device, which the campaign keeps away from.
class LimitsTest {
    @Test
    void aCompletionThatFindsNoRoomFailsTheQueuePair() {
        try (Duo duo = new Duo()) {
            CompletionQueue small = duo.pair.device(LEFT).completionQueue(2);
            QueuePair left = pair(duo.domains.get(LEFT), small, small);
            CompletionQueue large = duo.completions.get(RIGHT);
            QueuePair right = pair(duo.domains.get(RIGHT), large, large);
            duo.connect(left, right, 0, 0, a -> {});
            MemoryRegion memory = duo.memory.get(LEFT);
            flushed(duo.domains.get(LEFT), small, small).post(b -> b.send());
            for (int i = 0; i < 2; i++) {
                left.post(
                        b ->
                                b.write(
                                                memory.slice(0, 8),
                                                duo.memory.get(RIGHT).remote().slice(0, 8))
                                        .signaled());
            }
            duo.pair.settle();

            assertThat(left.state()).isEqualTo(QueuePairState.ERROR);
            assertThat(duo.counter(LEFT, Counter.COMPLETION_OVERRUN)).isEqualTo(1);
            AsyncEvent event = Objects.requireNonNull(duo.pair.device(LEFT).pollEvent());
            assertThat(event.type()).isEqualTo(AsyncEvent.Type.COMPLETION_QUEUE_ERROR);
        }
    }

    @Test
    void aCompletionQueueThatRanOverSaysSoAfterItsLastCompletion() {
        try (Duo duo = new Duo()) {
            CompletionQueue small = duo.pair.device(LEFT).completionQueue(2);
            AtomicInteger told = new AtomicInteger();
            small.onNotification(told::incrementAndGet);
            ProtectionDomain domain = duo.domains.get(LEFT);
            for (int i = 0; i < 2; i++) {
                flushed(domain, small, small).post(b -> b.send());
            }
            small.arm(Notification.ANY);
            QueuePair third = flushed(domain, small, small);
            third.post(b -> b.send());
            assertThat(told).as("calls of the listener").hasValue(1);

            assertThat(small.poll(5, _ -> {})).as("completions before").isEqualTo(2);
            for (ThrowingCallable call :
                    List.<ThrowingCallable>of(
                            small::poll,
                            () -> small.poll(5, _ -> {}),
                            () -> small.await(Duration.ofDays(1), _ -> {}),
                            () -> small.arm(Notification.ANY),
                            () -> pair(domain, small, small))) {
                assertThatThrownBy(call)
                        .isInstanceOf(WrongStateException.class)
                        .hasMessageContaining("ran over")
                        .hasMessageContaining("make a larger one");
            }
        }
    }

    @Test
    void aListenerThatThrowsDoesNotDisturbTheDevice() {
        try (Duo duo = new Duo()) {
            duo.receives(1);
            CompletionQueue queue = duo.completions.get(LEFT);
            queue.onNotification(
                    () -> {
                        throw new IllegalStateException("a listener's own fault");
                    });
            queue.arm(Notification.ANY);
            duo.send(1, 10);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
            assertThat(duo.counter(LEFT, Counter.FAILED_LISTENER)).isEqualTo(1);
        }
    }

    @Test
    void aHandlerThatThrowsWhatTheListenerThrewDoesNotDisturbItEither() {
        Thread self = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = self.getUncaughtExceptionHandler();
        try (Duo duo = new Duo()) {
            self.setUncaughtExceptionHandler(
                    (thread, thrown) -> {
                        throw (RuntimeException) thrown;
                    });
            duo.receives(1);
            CompletionQueue queue = duo.completions.get(LEFT);
            queue.onNotification(
                    () -> {
                        throw new IllegalStateException("a listener's own fault");
                    });
            queue.arm(Notification.ANY);
            duo.send(1, 10);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("1 SUCCESS");
        } finally {
            self.setUncaughtExceptionHandler(before);
        }
    }

    @Test
    void optionsBeyondTheArithmeticAreRefused() {
        assertThatThrownBy(() -> new Duo(o -> o.windowPackets(0), a -> {}))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("window packets: 0");
        assertThatThrownBy(() -> new Duo(o -> o.windowPackets(1 << 23), a -> {}))
                .isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> new Duo(o -> o.queuePairPrefix(0, 20), a -> {}))
                .isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void eventsBeyondTheLimitDropTheOldest() {
        DeviceLimits few = TransportOptions.DEFAULT_LIMITS.toBuilder().pendingEvents(2).build();
        try (Duo duo = new Duo(o -> o.limits(few), a -> {})) {
            for (int i = 0; i < 3; i++) {
                duo.left().modify(QueuePairState.SEND_QUEUE_DRAINED, a -> a.drainNotify(true));
                duo.left().modify(QueuePairState.READY_TO_SEND, a -> {});
            }
            TransportDevice device = duo.pair.device(LEFT);
            assertThat(device.pollEvent()).isNotNull();
            assertThat(device.pollEvent()).isNotNull();
            assertThat(device.pollEvent()).isNull();
            assertThat(duo.counter(LEFT, Counter.DROPPED_EVENT)).isEqualTo(1);
        }
    }

    @Test
    void everythingPostedIsFlushedInOrderWhenTheProgramStopsAQueuePair() {
        try (Duo duo = new Duo()) {
            duo.receives(2);
            duo.wire(LEFT).rule = (_, _) -> WireScript.Fate.DROP;
            duo.send(1, 10);
            duo.send(2, 10);
            duo.pair.step();
            duo.left().modify(QueuePairState.ERROR, a -> {});
            duo.right().modify(QueuePairState.ERROR, a -> {});
            assertThat(duo.completed(LEFT)).containsExactly("1 FLUSHED", "2 FLUSHED");
            assertThat(duo.completed(RIGHT)).containsExactly("1000 FLUSHED", "1001 FLUSHED");

            // And what is posted afterwards.
            duo.send(3, 10);
            duo.receives(1);
            assertThat(duo.completed(LEFT)).containsExactly("3 FLUSHED");
            assertThat(duo.completed(RIGHT)).containsExactly("1000 FLUSHED");
            duo.pair.settle();
            assertThat(duo.packets(LEFT)).hasSize(2);
        }
    }

    @Test
    void aResetForgetsEverythingInSilenceAndCanBeConnectedAgain() {
        try (Duo duo = new Duo()) {
            duo.receives(2);
            duo.wire(LEFT).rule = (_, _) -> WireScript.Fate.DROP;
            duo.send(1, 10);
            duo.pair.step();
            duo.left().modify(QueuePairState.RESET, a -> {});
            duo.right().modify(QueuePairState.RESET, a -> {});
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).isEmpty();
            assertThat(duo.completed(RIGHT)).isEmpty();

            duo.wire(LEFT).rule = (_, _) -> WireScript.Fate.PASS;
            duo.connect(duo.left(), duo.right(), 7, 8, a -> {});
            duo.receives(1);
            duo.send(2, 10);
            duo.pair.settle();
            assertThat(duo.completed(LEFT)).containsExactly("2 SUCCESS");
            assertThat(duo.completed(RIGHT)).containsExactly("1000 SUCCESS");
        }
    }

    @Test
    void queuesThatRunOverOneAfterTheOtherFailTheirQueuePairsAfterTheirWork() {
        Loopback network = new Loopback(1);
        try (TransportDevice left = network.open("left", o -> o.endToEndCredits(false));
                TransportDevice right = network.open("right", o -> o.acknowledge(3, 1_000_000))) {
            var domain = left.protectionDomain();
            var sends = left.completionQueue(3);
            var receives = left.completionQueue(2);
            var theirs = right.completionQueue(64);
            var there = right.protectionDomain();
            var first = pair(domain, sends, receives);
            var second = pair(domain, sends, receives);
            var peer = pair(there, theirs, theirs);
            first.connect(peer.endpoint());
            peer.connect(first.endpoint());
            QueuePair filling = flushed(domain, sends, receives);
            filling.post(batch -> batch.send().send());
            filling.postReceive(batch -> batch.receive());
            second.postReceive(batch -> batch.receive().receive());
            peer.postReceive(batch -> batch.receive().receive().receive());
            // One acknowledgement ends three requests: the second finds no room, which fails the
            // other queue pair, whose receives find none either, which fails the first one.
            first.post(batch -> batch.send().signaled().send().signaled().send().signaled());
            for (int i = 0; i < 1000 && left.progress(); i++) {}
            assertThat(first.state()).isEqualTo(QueuePairState.ERROR);
            assertThat(second.state()).isEqualTo(QueuePairState.ERROR);
        }
    }

    /// One whose requests complete at once.
    private static QueuePair flushed(
            ProtectionDomain domain, CompletionQueue sends, CompletionQueue receives) {
        QueuePair pair = pair(domain, sends, receives);
        pair.modify(QueuePairState.ERROR, it -> {});
        return pair;
    }

    private static QueuePair pair(
            ProtectionDomain domain, CompletionQueue sends, CompletionQueue receives) {
        return domain.queuePair(
                QueuePairType.RC, it -> it.sendCompletions(sends).receiveCompletions(receives));
    }
}
