package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Wait;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A device whose sockets throw what no socket should: it ends, and says so everywhere.
@Tag("sockets")
@Timeout(60)
class BrokenDeviceTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    /// Real sockets that fail on request.
    private static final class Failing implements Datagrams {
        private final Datagrams real;
        private final AtomicInteger failures = new AtomicInteger();
        private volatile boolean isBroken;

        Failing(Datagrams real) {
            this.real = real;
        }

        @Override
        public boolean receive(Arrival arrival) {
            if (isBroken) {
                failures.incrementAndGet();
                throw new InternalError("a fault was planted in the socket");
            }
            return real.receive(arrival);
        }

        @Override
        public int trainMax() {
            return real.trainMax();
        }

        @Override
        public boolean gathers() {
            return real.gathers();
        }

        @Override
        public int sourcePort(int flowLabel) {
            return real.sourcePort(flowLabel);
        }

        @Override
        public int send(Train train) {
            return real.send(train);
        }

        @Override
        public boolean receiveAside(Arrival arrival, long nowNs) {
            return real.receiveAside(arrival, nowNs);
        }

        @Override
        public void join(Gid to) {
            real.join(to);
        }

        @Override
        public void leave(Gid from) {
            real.leave(from);
        }

        @Override
        public int seats() {
            return real.seats();
        }

        @Override
        public void await(int seat, long ns) {
            real.await(seat, Math.min(ns, 1_000_000));
        }

        @Override
        public void wake(int seat) {
            real.wake(seat);
        }

        @Override
        public int receiveBufferBytes() {
            return real.receiveBufferBytes();
        }

        @Override
        public long drops() {
            return real.drops();
        }

        @Override
        public String description() {
            return real.description();
        }

        @Override
        public void close() {
            real.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"progress=thread", "progress=caller"})
    void failsItsQueuePairsWakesItsThreadsAndSaysWhy(String options) {
        String uri = "roce://" + TestAddresses.ipv4() + "?path=portable&" + options;
        RoceSettings settings = RoceUri.parse(URI.create(uri));
        Link link = Link.of(settings.address());
        Failing sockets = new Failing(new PortableDatagrams(settings, link, "the test asks"));
        try (Device device = RoceProvider.open(settings, link, 1024, sockets, it -> {})) {
            ProtectionDomain domain = device.protectionDomain();
            CompletionQueue queue = device.completionQueue(16);
            MemoryRegion memory = domain.allocate(64, Access.LOCAL_WRITE);
            QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(queue));
            pair.connect(pair.endpoint());
            pair.postReceive(batch -> batch.receive(memory.slice()));

            sockets.isBroken = true;
            Wait.until("a turn has failed", LONG, () -> hasFailed(device, sockets));

            List<CompletionStatus> seen = new ArrayList<>();
            Wait.until("the receive has ended", LONG, () -> !seen.isEmpty() || taken(queue, seen));
            assertThat(seen).containsExactly(CompletionStatus.FLUSHED);
            assertThat(pair.state()).isEqualTo(QueuePairState.ERROR);
            AsyncEvent event = device.pollEvent();
            assertThat(event).isNotNull();
            assertThat(event.type()).isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
            assertThat(event.explanation()).contains("a fault was planted in the socket");
            assertThatThrownBy(device::protectionDomain)
                    .isInstanceOf(ClosedException.class)
                    .hasMessageContaining("the device failed");
            assertThatThrownBy(device::progress).isInstanceOf(ClosedException.class);
            assertThat(sockets.failures).hasValue(1);
        }
    }

    private static boolean hasFailed(Device device, Failing sockets) {
        try {
            device.progress();
        } catch (InternalError | ClosedException planted) {
            // The caller's own turn, or one after it.
        }
        return sockets.failures.get() > 0;
    }

    private static boolean taken(CompletionQueue queue, List<CompletionStatus> seen) {
        return queue.poll(1, it -> seen.add(it.status())) > 0;
    }
}
