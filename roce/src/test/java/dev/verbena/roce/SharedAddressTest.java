package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@Tag("sockets")
class SharedAddressTest {
    private final String uri = "roce://" + TestAddresses.ipv4();
    private final List<Device> opened = new ArrayList<>();

    @AfterEach
    void closeAll() {
        opened.forEach(Device::close);
    }

    private TransportDevice open(String where) {
        TransportDevice device = TransferCheck.open(where);
        opened.add(device);
        return device;
    }

    private static int slot(Device device) {
        CompletionQueue unused = device.completionQueue(1);
        return device.protectionDomain()
                        .queuePair(QueuePairType.RC, it -> it.completions(unused))
                        .number()
                >>> 20;
    }

    private static long counter(Device device, String name) {
        return device.counters().getOrDefault(name, -1L);
    }

    @Test
    void sixteenthDeviceIsRefusedUntilAnotherLeaves() {
        for (int i = 0; i < 15; i++) {
            assertThat(slot(open(uri))).isEqualTo(i);
        }
        assertThatThrownBy(() -> open(uri))
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("15 devices share this address already");

        opened.get(6).close();
        assertThat(slot(open(uri))).isEqualTo(6);
    }

    @Test
    void addressThatIsNotSharedIsOneDevices() {
        Device alone = open(uri + "?share=off");
        assertThatThrownBy(() -> open(uri))
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("EADDRINUSE");
        alone.close();

        Device shared = open(uri);
        assertThatThrownBy(() -> open(uri + "?share=off"))
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("EADDRINUSE");
        shared.close();
        open(uri + "?share=off");
    }

    @Test
    void firstMayLeaveFirst() {
        Device first = open(uri);
        Device second = open(uri);
        Device elsewhere = open("roce://" + TestAddresses.ipv4());
        Line line = new Line(elsewhere, second, 1);
        line.move();

        first.close();
        line.move();
        Device third = open(uri);
        assertThat(slot(third)).isZero();
        new Line(elsewhere, third, 2).move();
        line.move();

        assertThat(counter(second, "socket_tx_forwarded")).isZero();
        assertThat(counter(third, "socket_tx_forwarded")).isZero();
    }

    @Test
    void trainsAreForOneDevice() {
        Device first = open(uri);
        Device second = open(uri);
        Device elsewhere = open("roce://" + TestAddresses.ipv4() + "?progress=caller");
        ProtectionDomain domain = elsewhere.protectionDomain();
        CompletionQueue done = elsewhere.completionQueue(256);
        MemoryRegion source = domain.allocate(64);
        List<QueuePair> pairs = new ArrayList<>();
        List<MemoryRegion> targets = new ArrayList<>();
        for (Device device : List.of(first, second)) {
            CompletionQueue unused = device.completionQueue(16);
            ProtectionDomain there = device.protectionDomain();
            QueuePair to = there.queuePair(QueuePairType.RC, it -> it.completions(unused));
            QueuePair from = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
            from.connect(to.endpoint());
            to.connect(from.endpoint());
            pairs.add(from);
            targets.add(there.allocate(64, Access.REMOTE_WRITE));
        }
        // Nothing leaves before the caller drives the device, so both have packets then.
        for (int i = 0; i < 16; i++) {
            for (int k = 0; k < 2; k++) {
                MemoryRegion target = targets.get(k);
                pairs.get(k).post(batch -> batch.write(source.slice(), target.remote()).signaled());
            }
        }
        int[] completed = {0};
        long endNs = System.nanoTime() + 30_000_000_000L;
        while (completed[0] < 32 && System.nanoTime() < endNs) {
            done.poll(32, it -> completed[0] += it.isSuccess() ? 1 : 0);
        }

        assertThat(completed[0]).isEqualTo(32);
        assertThat(counter(first, "socket_rx_pkts")).isEqualTo(16);
        assertThat(counter(first, "socket_tx_forwarded")).isZero();
        assertThat(counter(second, "socket_tx_forwarded")).isZero();
    }

    /// One device moves bytes into another and back.
    private static final class Line {
        private final TransferCheck transfer;
        private final MemoryRegion target;

        Line(Device from, Device to, long seed) {
            transfer = new TransferCheck(from, seed);
            ProtectionDomain domain = to.protectionDomain();
            CompletionQueue unused = to.completionQueue(16);
            target = domain.allocate(TransferCheck.BYTES, Access.REMOTE_WRITE, Access.REMOTE_READ);
            QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(unused));
            pair.connect(transfer.pair.endpoint());
            transfer.pair.connect(pair.endpoint());
        }

        void move() {
            transfer.move(target.remote());
        }
    }
}
