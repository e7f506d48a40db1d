package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.testkit.Choices;
import dev.verbena.testkit.Seed;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.UnsupportedException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which bytes leave when a program does what it must not, or what it may: it closes the arena of
/// memory that is being sent, or writes to memory that a peer reads.
@Timeout(120)
@Tag("sockets")
class MemoryOnTheWireTest {
    private static final int BYTES = 60 * 1024;
    private static final byte REGISTERED = 'A';
    private static final byte FOREIGN = 'S';

    /// Headers and checksum around the payload, at most.
    private static final int HEADERS = 40;

    @Test
    void memoryOfAClosedArenaNeverLeaves() throws IOException, InterruptedException {
        Choices choices = Choices.from(Seed.forTest("MemoryOnTheWireTest", 1));
        String peer = TestAddresses.ipv4();
        try (DatagramChannel sniffer = DatagramChannel.open(StandardProtocolFamily.INET);
                Device device = Devices.open("roce://" + TestAddresses.ipv4())) {
            sniffer.setOption(StandardSocketOptions.SO_RCVBUF, 4 << 20);
            sniffer.bind(new InetSocketAddress(peer, 4791));
            sniffer.configureBlocking(false);
            Sniffed sniffed = new Sniffed();
            for (int i = 0; i < 300; i++) {
                sendAndClose(device, peer, choices.between(0, 400_000));
                sniffed.read(sniffer);
            }
            assertThat(sniffed.packets).isPositive();
            assertThat(sniffed.foreign).isZero();
        }
    }

    /// It would leave as zeros.
    @Test
    void aRegionWithoutMemoryIsRefused() {
        try (Device device = Devices.open("roce://" + TestAddresses.ipv4())) {
            ProtectionDomain domain = device.protectionDomain();

            assertThatThrownBy(() -> TransportDevice.phantom(domain, 64))
                    .isInstanceOf(UnsupportedException.class)
                    .hasMessageStartingWith("protection domain 0 of " + device.name() + ": ")
                    .hasMessageEndingWith("or a device of Fabric.open");
        }
    }

    /// Posts WRITEs of memory, closes its arena a little later, and uses memory for other things.
    private static void sendAndClose(Device device, String peer, int waitNs)
            throws InterruptedException {
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(BYTES, 64).fill(REGISTERED);
        try (ProtectionDomain domain = device.protectionDomain();
                CompletionQueue done = device.completionQueue(64);
                MemoryRegion region = domain.register(memory, Access.LOCAL_WRITE);
                QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
                Arena others = Arena.ofShared()) {
            pair.connect(strangerAt(peer, pair.endpoint()), it -> it.timeout(8));
            Thread poster = Thread.ofPlatform().start(() -> post(pair, region));
            long until = System.nanoTime() + waitNs;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            close(arena);
            for (int i = 0; i < 3; i++) {
                others.allocate(BYTES, 64).fill(FOREIGN);
            }
            poster.join();
        }
    }

    private static void post(QueuePair pair, MemoryRegion region) {
        pair.post(
                batch -> {
                    for (int i = 0; i < 12; i++) {
                        batch.write(region.slice(), new RemoteSlice(0x1000, BYTES, 7));
                    }
                });
    }

    private static Endpoint strangerAt(String address, Endpoint own) {
        return new Endpoint(
                own.type(), 0, Gid.parse(address), 0x1234, 1, 4096, 8, 4791, own.partitionKey(), 0);
    }

    /// An arena cannot be closed at the very moment in which its memory is copied.
    private static void close(Arena arena) {
        while (arena.scope().isAlive()) {
            try {
                arena.close();
            } catch (IllegalStateException inUse) {
                Thread.onSpinWait();
            }
        }
    }

    private static final class Sniffed {
        private final ByteBuffer buffer = ByteBuffer.allocate(70_000);
        int packets;
        int foreign;

        void read(DatagramChannel from) throws IOException {
            while (from.receive(buffer.clear()) != null) {
                packets++;
                int found = 0;
                for (int i = HEADERS; i < buffer.position() - Integer.BYTES; i++) {
                    found += buffer.get(i) == FOREIGN ? 1 : 0;
                }
                foreign += found > 16 ? 1 : 0;
            }
        }
    }

    @Test
    void memoryThatItsOwnerChangesIsReadWithTheRightChecksum() throws InterruptedException {
        try (Device left = Devices.open("roce://" + TestAddresses.ipv4());
                Device right = Devices.open("roce://" + TestAddresses.ipv4());
                ProtectionDomain here = left.protectionDomain();
                ProtectionDomain there = right.protectionDomain();
                CompletionQueue done = left.completionQueue(64);
                CompletionQueue came = right.completionQueue(64);
                MemoryRegion near = here.allocate(65_536, Access.LOCAL_WRITE);
                MemoryRegion far = there.allocate(65_536, Access.REMOTE_READ);
                QueuePair pair = here.queuePair(QueuePairType.RC, it -> it.completions(done));
                QueuePair peer = there.queuePair(QueuePairType.RC, it -> it.completions(came))) {
            pair.connect(peer.endpoint());
            peer.connect(pair.endpoint());
            AtomicBoolean isOver = new AtomicBoolean();
            Thread owner = Thread.ofPlatform().start(() -> change(far.segment(), isOver));
            try {
                for (int i = 0; i < 500; i++) {
                    pair.post(it -> it.read(near.slice(), far.remote()).signaled());
                    int count =
                            done.await(
                                    Duration.ofSeconds(20),
                                    c -> assertThat(c.isSuccess()).as(c.toString()).isTrue());
                    assertThat(count).isOne();
                }
            } finally {
                isOver.set(true);
                owner.join();
            }
            assertThat(left.counters().get("rx_icrc_encapsulated")).isZero();
        }
    }

    private static void change(MemorySegment memory, AtomicBoolean isOver) {
        for (int value = 0; !isOver.get(); value++) {
            memory.fill((byte) value);
        }
    }
}
