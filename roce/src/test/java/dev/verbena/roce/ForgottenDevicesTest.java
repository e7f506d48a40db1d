package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Wait;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.WindowType;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs that open devices and do not close them.
@Timeout(120)
@Tag("sockets")
class ForgottenDevicesTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    /// As many as one address has room for.
    private static final int DEVICES = 15;

    @ParameterizedTest
    @ValueSource(strings = {"progress=thread", "progress=caller"})
    void theirThreadsAndFilesComeBack(String options) {
        String address = TestAddresses.ipv4();
        String uri = "roce://" + address + "?" + options;
        List<WeakReference<Device>> forgotten = new ArrayList<>();
        for (int i = 0; i < DEVICES; i++) {
            forgotten.add(new WeakReference<>(use(uri)));
        }
        Wait.until("all are collected", LONG, () -> collected(forgotten));
        Wait.until("their threads have ended", LONG, () -> threads(address) == 0);
        Wait.until("their place is free", LONG, () -> hasRoom(uri));
    }

    private static Device use(String uri) {
        Device device = Devices.open(uri);
        ProtectionDomain domain = device.protectionDomain();
        domain.allocate(1 << 20, Access.REMOTE_WRITE);
        CompletionQueue queue = device.completionQueue(16);
        domain.queuePair(QueuePairType.RC, it -> it.completions(queue)).close();
        return device;
    }

    private static boolean collected(List<WeakReference<Device>> all) {
        System.gc();
        return all.stream().allMatch(it -> it.refersTo(null));
    }

    private static long threads(String address) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(it -> it.getName().contains("roce " + address))
                .count();
    }

    private static boolean hasRoom(String uri) {
        List<Device> all = new ArrayList<>();
        try {
            for (int i = 0; i < DEVICES; i++) {
                all.add(Devices.open(uri));
            }
            return true;
        } catch (RuntimeException full) {
            return false;
        } finally {
            all.forEach(Device::close);
        }
    }

    @Test
    void oneThatWasClosedWithAnOpenListenerIsCollected() {
        List<WeakReference<Device>> closed = List.of(new WeakReference<>(listenAndClose()));
        Wait.until("it is collected", LONG, () -> collected(closed));
    }

    private static Device listenAndClose() {
        Device device = Devices.open("roce://" + TestAddresses.ipv4());
        device.listen(7471, 4);
        device.close();
        return device;
    }

    static Stream<Arguments> parts() {
        Gid peer = Gid.parse(TestAddresses.ipv4());
        return Stream.of(
                part("completion queue", device -> device.completionQueue(4)),
                part("domain", Device::protectionDomain),
                part("region", device -> device.protectionDomain().allocate(64)),
                part("window", device -> device.protectionDomain().window(WindowType.TYPE_2)),
                part("shared queue", device -> device.protectionDomain().sharedReceiveQueue(4)),
                part(
                        "address handle",
                        device -> device.protectionDomain().addressHandle(Address.to(peer))),
                part("listener", device -> device.listen(0, 4)),
                part("datagram listener", device -> device.listenForDatagrams(0, 4)),
                part("resolution", device -> device.resolve(Address.to(peer), 7471)));
    }

    private static Arguments part(String name, Function<Device, Object> maker) {
        return Arguments.of(Named.of(name, maker));
    }

    /// A program may keep a listener, and nothing else of its device.
    @ParameterizedTest
    @MethodSource("parts")
    void aPartThatIsKeptKeepsItsDevice(Function<Device, Object> maker) {
        String uri = "roce://" + TestAddresses.ipv4() + "?progress=caller";
        AtomicReference<@Nullable Object> kept = new AtomicReference<>();
        WeakReference<Device> device = openAndKeep(uri, maker, kept);
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        Device found = device.get();
        assertThat(found).isNotNull();
        assertThat(kept.get()).isNotNull();
        if (found != null) {
            found.close();
        }
    }

    private static WeakReference<Device> openAndKeep(
            String uri, Function<Device, Object> maker, AtomicReference<@Nullable Object> kept) {
        Device device = Devices.open(uri);
        kept.set(maker.apply(device));
        return new WeakReference<>(device);
    }

    private record Served(WeakReference<Device> device, Endpoint endpoint, RemoteSlice memory) {}

    /// A server may keep nothing but its thread's word that peers are answered.
    @Test
    void oneThatPeersReachWorksOn() {
        try (Device left = Devices.open("roce://" + TestAddresses.ipv4())) {
            ProtectionDomain domain = left.protectionDomain();
            CompletionQueue done = left.completionQueue(16);
            MemoryRegion from = domain.allocate(4096, Access.LOCAL_WRITE);
            QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
            Served there = serve(pair.endpoint());
            pair.connect(there.endpoint);
            List<CompletionStatus> seen = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                System.gc();
                pair.post(batch -> batch.write(from.slice(), there.memory).signaled());
                done.await(LONG, it -> seen.add(it.status()));
            }
            assertThat(seen).hasSize(5).containsOnly(CompletionStatus.SUCCESS);
            Device kept = there.device.get();
            assertThat(kept).isNotNull();
            if (kept != null) {
                kept.close();
            }
        }
    }

    private static Served serve(Endpoint peer) {
        Device device = Devices.open("roce://" + TestAddresses.ipv4());
        ProtectionDomain domain = device.protectionDomain();
        CompletionQueue queue = device.completionQueue(16);
        MemoryRegion memory = domain.allocate(4096, Access.REMOTE_WRITE);
        QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(queue));
        pair.connect(peer);
        return new Served(new WeakReference<>(device), pair.endpoint(), memory.remote());
    }
}
