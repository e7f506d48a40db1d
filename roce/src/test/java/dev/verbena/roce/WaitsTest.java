package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Wait;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Threads that wait for a device on sockets: what ends the wait, and what goes on meanwhile.
@Timeout(120)
@Tag("sockets")
class WaitsTest {
    private static final Duration FOREVER = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofSeconds(30);

    private static Device open(String options) {
        return Devices.open("roce://" + TestAddresses.ipv4() + "?" + options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"progress=thread", "progress=caller", "path=portable"})
    void anInterruptEndsAWaitAndStaysSet(String options) throws Exception {
        try (Device device = open(options);
                CompletionQueue queue = device.completionQueue(4);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            AtomicReference<Thread> waiter = new AtomicReference<>();
            Callable<Boolean> program =
                    () -> {
                        waiter.set(Thread.currentThread());
                        return queue.await(FOREVER, _ -> {}) == 0 && Thread.interrupted();
                    };
            Future<Boolean> waiting = threads.submit(program);
            Wait.until("it has begun", LONG, () -> waiter.get() != null);
            waiter.get().interrupt();
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();

            // Also when it comes before the wait.
            Thread.currentThread().interrupt();
            assertThat(queue.await(FOREVER, _ -> {})).isZero();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"progress=thread", "progress=caller", "path=portable"})
    void closingTheDeviceEndsTheWaitForAConnection(String options) throws Exception {
        Device device = open(options);
        Listener listener = device.listen(7471, 8);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            AtomicReference<Thread> waiter = new AtomicReference<>();
            Callable<ConnectionRequest> program =
                    () -> {
                        waiter.set(Thread.currentThread());
                        return listener.await(FOREVER);
                    };
            Future<ConnectionRequest> waiting = threads.submit(program);
            Wait.until("it has begun", LONG, () -> waiter.get() != null);
            device.close();
            assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ClosedException.class);
        }
    }

    @Test
    void virtualThreadsThatWaitLeaveRoomForOthers() throws Exception {
        int waiters = 2 * Runtime.getRuntime().availableProcessors();
        try (Device device = open("progress=caller");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> waiting = new ArrayList<>();
            for (int i = 0; i < waiters; i++) {
                CompletionQueue queue = device.completionQueue(1);
                waiting.add(threads.submit(() -> queue.await(FOREVER, _ -> {})));
            }
            for (int i = 0; i < 100; i++) {
                assertThat(threads.submit(() -> 42).get(30, TimeUnit.SECONDS)).isEqualTo(42);
            }
            waiting.forEach(it -> it.cancel(true));
        }
    }

    @Test
    void twoThreadsAcceptFromOneListener() throws Exception {
        try (Device server = open("progress=thread");
                Device client = open("progress=thread");
                Listener listener = server.listen(7471, 8);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<ConnectionRequest>> accepting = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                accepting.add(threads.submit(() -> listener.await(FOREVER)));
            }
            ProtectionDomain domain = client.protectionDomain();
            CompletionQueue done = client.completionQueue(4);
            for (int i = 0; i < 2; i++) {
                QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
                Connection connection =
                        client.connect(pair, Address.to(server.gids(1).getFirst()), 7471);
                assertThat(connection).isNotNull();
            }
            for (Future<ConnectionRequest> accepted : accepting) {
                assertThat(accepted.get(30, TimeUnit.SECONDS)).isNotNull();
            }
        }
    }
}
