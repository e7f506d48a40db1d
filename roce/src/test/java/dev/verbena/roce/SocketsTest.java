package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.OpenFiles;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("sockets")
class SocketsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void longMessageLeavesInTrains() {
        try (Device left = open("progress=thread");
                Device right = open("progress=thread")) {
            Wired wired = new Wired(left, right, 1 << 20);

            wired.write();

            long packets = left.counters().getOrDefault("sent_pkts", -1L);
            long trains = left.counters().getOrDefault("socket_tx_trains", -1L);
            assertThat(packets).isGreaterThanOrEqualTo(256);
            assertThat(trains).isLessThan(packets / 4);
        }
    }

    /// The checksum covers the identification that the kernel gives each packet of a train.
    @Test
    void theChecksumOfEveryPacketOfATrainIsRight() {
        try (Device left = open("progress=thread");
                Device right = open("progress=thread")) {
            Wired wired = new Wired(left, right, 64);
            for (int i = 0; i < 20; i++) {
                wired.writeTogether(8);
            }
            assertThat(right.counters().get("socket_rx_ids_solved")).isZero();
            assertThat(right.counters().get("rx_icrc_encapsulated")).isZero();
        }
    }

    @Test
    void filesComeBackWhenADeviceIsClosed() {
        String uri = "roce://" + TestAddresses.ipv4();
        int before = OpenFiles.count();
        for (int i = 0; i < 50; i++) {
            try (Device device = Devices.open(uri)) {
                Wired wired = new Wired(device, device, 64);
                wired.write();
            }
        }
        // Others of this process may open a few meanwhile.
        assertThat(OpenFiles.count()).isLessThan(before + 40);
    }

    @Test
    void addressIsFreeAsSoonAsItsDeviceIsClosed() {
        String uri = "roce://" + TestAddresses.ipv4();
        for (int i = 0; i < 50; i++) {
            Devices.open(uri).close();
        }
        for (int i = 0; i < 50; i++) {
            Devices.open(uri + "?progress=caller").close();
        }
    }

    @Test
    void addressThatAnotherProgramHasIsRefused() throws IOException {
        String address = TestAddresses.ipv4();
        try (DatagramSocket other =
                new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral(address), 4791))) {
            assertThat(other.isBound()).isTrue();
            assertThatThrownBy(() -> Devices.open("roce://" + address))
                    .isInstanceOf(NoDeviceException.class)
                    .hasMessageContaining(address)
                    .hasMessageContaining("rdma_rxe")
                    .hasMessageContaining("roce://ADDRESS:PORT");
        }
    }

    @Test
    void deviceTellsHowItWorks() {
        try (Device foreign = open("progress=caller");
                Device portable = open("path=portable")) {
            assertThat(foreign.description())
                    .contains("system calls", "GSO and GRO", "driven by its callers");
            assertThat(portable.description())
                    .contains("by the JDK", "path=portable asks for it", "thread of its own");
        }
    }

    @Test
    void whatIsNoPacketIsCountedAndForgotten() throws IOException {
        String address = TestAddresses.ipv4();
        try (Device device = Devices.open("roce://" + address + "?progress=caller");
                DatagramSocket stranger = new DatagramSocket()) {
            InetSocketAddress to = new InetSocketAddress(InetAddress.ofLiteral(address), 4791);
            for (int length : new int[] {1, 11, 15, 16, 1000, 60_000}) {
                stranger.send(new DatagramPacket(new byte[length], length, to));
            }
            CompletionQueue queue = device.completionQueue(1);
            queue.await(Duration.ofMillis(50), it -> {});

            assertThat(device.counters().getOrDefault("rcvd_pkts", -1L)).isEqualTo(6);
            assertThat(
                            device.counters().getOrDefault("rx_malformed", -1L)
                                    + device.counters().getOrDefault("rx_icrc_encapsulated", -1L))
                    .isEqualTo(6);
        }
    }

    @Test
    void severalThreadsShareADevice() throws Exception {
        try (Device left = open("progress=thread");
                Device right = open("progress=thread");
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Integer>> work = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                work.add(
                        () -> {
                            Wired wired = new Wired(left, right, 10_000);
                            for (int round = 0; round < 50; round++) {
                                wired.write();
                            }
                            return 50;
                        });
            }
            int done = 0;
            for (Future<Integer> one : threads.invokeAll(work, 40, TimeUnit.SECONDS)) {
                done += one.get();
            }
            assertThat(done).isEqualTo(200);
        }
    }

    @Test
    void callerThatSleepsIsWokenByAnotherThatDrives() throws Exception {
        try (Device left = open("progress=caller");
                Device right = open("progress=thread");
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Wired first = new Wired(left, right, 100);
            Wired second = new Wired(left, right, 100);
            Future<?> one = threads.submit(() -> first.writeTimes(2000));
            Future<?> two = threads.submit(() -> second.writeTimes(2000));

            one.get(40, TimeUnit.SECONDS);
            two.get(40, TimeUnit.SECONDS);
        }
    }

    private static Device open(String options) {
        return Devices.open("roce://" + TestAddresses.ipv4() + "?" + options);
    }

    /// A connection, and memory at both ends.
    private static final class Wired {
        private final CompletionQueue done;
        private final MemoryRegion source;
        private final MemoryRegion target;
        private final QueuePair pair;
        private byte mark;

        Wired(Device left, Device right, int bytes) {
            ProtectionDomain here = left.protectionDomain();
            ProtectionDomain there = right.protectionDomain();
            done = left.completionQueue(16);
            CompletionQueue arrived = right.completionQueue(16);
            source = here.allocate(bytes);
            target = there.allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            pair = here.queuePair(QueuePairType.RC, it -> it.completions(done));
            QueuePair peer = there.queuePair(QueuePairType.RC, it -> it.completions(arrived));
            pair.connect(peer.endpoint());
            peer.connect(pair.endpoint());
        }

        void write() {
            mark++;
            source.segment().fill(mark);
            pair.post(batch -> batch.write(source.slice(), target.remote()).signaled());
            List<CompletionStatus> statuses = new ArrayList<>();
            done.await(PATIENCE, it -> statuses.add(it.status()));
            assertThat(statuses).containsExactly(CompletionStatus.SUCCESS);
            assertThat(source.segment().mismatch(target.segment())).isEqualTo(-1);
        }

        /// Several requests in one batch, so that they leave in one train.
        void writeTogether(int count) {
            pair.post(
                    batch -> {
                        for (int i = 0; i < count; i++) {
                            batch.write(source.slice(), target.remote());
                        }
                        batch.signaled();
                    });
            assertThat(done.await(PATIENCE, it -> assertThat(it.isSuccess()).isTrue())).isOne();
        }

        void writeTimes(int times) {
            for (int i = 0; i < times; i++) {
                write();
            }
        }
    }
}
