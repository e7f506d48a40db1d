package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IcrcPseudoHeader;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Service;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Packets in the wrong socket: those that the kernel put there, and those of liars.
@Timeout(120)
@Tag("sockets")
class ForwardingTest {
    private static final int QUEUE_KEY = 0x1122_3344;
    private static final long TEXT = 0x0123_4567_89AB_CDEFL;
    private static final int PACKET = Bth.LENGTH + Deth.LENGTH + Long.BYTES + Icrc.LENGTH;
    private static final int PORT = 4791;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final String place = TestAddresses.ipv4();
    private final TransportDevice first = TransferCheck.open("roce://" + place);
    private final TransportDevice second = TransferCheck.open("roce://" + place);
    private final Inbox toFirst = new Inbox(first);
    private final Inbox toSecond = new Inbox(second);

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    private static long counter(Device device, String name) {
        return device.counters().getOrDefault(name, -1L);
    }

    @Test
    void packetBehindAnothersFirstIsPassedOn() {
        sendTrain(Gid.parse(TestAddresses.ipv4()), toFirst.pair.number(), toSecond.pair.number());

        assertThat(toFirst.text()).isEqualTo(TEXT);
        assertThat(toSecond.text()).isEqualTo(TEXT + 1);
        assertThat(counter(first, "socket_tx_forwarded")).isEqualTo(1);
        assertThat(counter(second, "socket_rx_forwarded")).isEqualTo(1);
        assertThat(counter(second, "socket_tx_forwarded")).isZero();
    }

    @Test
    void packetForAMissingDeviceIsNotForwarded() {
        int nobody = 9 << 20;
        sendTrain(Gid.parse(TestAddresses.ipv4()), toFirst.pair.number(), nobody);

        assertThat(toFirst.text()).isEqualTo(TEXT);
        assertThat(counter(second, "socket_rx_forwarded")).isZero();
    }

    @Test
    void forgedForwardsAreDropped() throws IOException {
        Random random = new Random(42);
        int forged = 5000;
        ByteBuffer bytes = ByteBuffer.allocate(Forwarding.HEADER + PACKET);
        for (String liar : new String[] {place, TestAddresses.ipv4()}) {
            try (DatagramChannel channel = DatagramChannel.open()) {
                channel.bind(new InetSocketAddress(liar, 0));
                for (int i = 0; i < forged; i++) {
                    random.nextBytes(bytes.array());
                    bytes.put(0, (byte) 0xFF).put(5, (byte) (0xF0 | i % 16));
                    bytes.put(Forwarding.HEADER + 5, (byte) (i % 3 << 4));
                    channel.send(bytes.clear(), new InetSocketAddress(place, PORT));
                }
            }
        }
        sendTrain(Gid.parse(TestAddresses.ipv4()), toFirst.pair.number(), toSecond.pair.number());

        assertThat(toFirst.text()).isEqualTo(TEXT);
        assertThat(toSecond.text()).isEqualTo(TEXT + 1);
        assertThat(counter(first, "socket_rx_for_nobody")).isPositive();
        assertThat(counter(first, "socket_tx_forwarded")).isEqualTo(1);
        assertThat(counter(first, "socket_rx_forwarded")).isZero();
        assertThat(counter(second, "socket_rx_forwarded")).isEqualTo(1);
        assertThat(counter(second, "socket_tx_forwarded")).isZero();
    }

    /// Sends a train of datagrams to these queue pairs, which a Verbena sender would not.
    private void sendTrain(Gid source, int... queuePairs) {
        MemorySegment state = Libc.state(Arena.ofAuto());
        ForeignSocket sockets = new ForeignSocket("test", state);
        int socket = sockets.openSender(source, Link.of(source));
        Gid target = Gid.parse(place);
        IcrcPseudoHeader header = new IcrcPseudoHeader();
        header.setIpv4((int) source.low(), (int) target.low(), sockets.port(socket), PORT);
        MemorySegment train = Arena.ofAuto().allocate((long) queuePairs.length * PACKET, 8);
        for (int i = 0; i < queuePairs.length; i++) {
            putPacket(train.asSlice((long) i * PACKET, PACKET), queuePairs[i], i, header);
        }
        MemorySegment piece = Arena.ofAuto().allocate(Train.PIECE, 8);
        piece.set(ValueLayout.ADDRESS, 0, train);
        piece.set(ValueLayout.JAVA_LONG, 8, train.byteSize());
        MemorySegment address = Arena.ofAuto().allocate(SocketAddress.LENGTH_MAX, 8);
        MessageHeader message = new MessageHeader();
        message.peer(address, SocketAddress.put(address, target, PORT, 0));
        message.pieces(piece, 1);
        message.segment(PACKET);
        assertThat(Libc.sendmsg(state, socket, message.finish(), 0)).isEqualTo(train.byteSize());
        Libc.close(state, socket);
    }

    private static void putPacket(MemorySegment to, int queuePair, int i, IcrcPseudoHeader header) {
        Bth.of(Opcode.of(Service.UD, Operation.SEND_ONLY), queuePair, i).emit(to, 0);
        new Deth(QUEUE_KEY, 0x77).emit(to, Bth.LENGTH);
        int textAt = Bth.LENGTH + Deth.LENGTH;
        to.set(ValueLayout.JAVA_LONG_UNALIGNED, textAt, TEXT + i);
        int icrcAt = textAt + Long.BYTES;
        Icrc.store(to, icrcAt, new Icrc().compute(header, i, to, 0, icrcAt));
    }

    /// A queue pair that takes one datagram.
    private static final class Inbox {
        private final CompletionQueue arrived;
        private final MemoryRegion memory;
        private final QueuePair pair;

        Inbox(Device device) {
            ProtectionDomain domain = device.protectionDomain();
            arrived = device.completionQueue(16);
            memory = domain.allocate(256, Access.LOCAL_WRITE);
            pair =
                    domain.queuePair(
                            QueuePairType.UD, it -> it.completions(arrived).queueKey(QUEUE_KEY));
            pair.activate();
            pair.receives().receive().local(memory, 0, 256).post();
        }

        long text() {
            assertThat(arrived.await(LIMIT, it -> assertThat(it.isSuccess()).isTrue()))
                    .isEqualTo(1);
            return memory.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, DatagramHeader.LENGTH);
        }
    }
}
