package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmDreq;
import dev.verbena.wire.mad.CmMra;
import dev.verbena.wire.mad.CmRej;
import dev.verbena.wire.mad.CmRep;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.CmRtu;
import dev.verbena.wire.mad.CmSidrRep;
import dev.verbena.wire.mad.CmSidrReq;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The kernel's choice of a socket, and ours, which must be the same.
@Timeout(60)
class SteeringTest {
    private static final int PORT = 4791;
    private static final int LENGTH = 280;
    private static final int[] ATTRIBUTES = {
        CmReq.ATTRIBUTE_ID,
        CmMra.ATTRIBUTE_ID,
        CmRej.ATTRIBUTE_ID,
        CmRep.ATTRIBUTE_ID,
        CmRtu.ATTRIBUTE_ID,
        CmDreq.ATTRIBUTE_ID,
        CmSidrReq.ATTRIBUTE_ID,
        CmSidrRep.ATTRIBUTE_ID,
    };

    private final String place = TestAddresses.ipv4();
    private final MemorySegment state = Libc.state(Arena.ofAuto());
    private final int[] sockets = new int[HandOver.SOCKETS];
    private final Arrival arrival = new Arrival(Arrival.ONE_MAX);
    private final ByteBuffer packet = ByteBuffer.allocate(LENGTH);

    @BeforeEach
    void open() {
        ForeignSocket foreign = new ForeignSocket("test", state);
        for (int i = 0; i < sockets.length; i++) {
            sockets[i] = foreign.openReceiver(Gid.parse(place), PORT, 0, false, true);
        }
        assertThat(Steering.attach(state, sockets[0])).isTrue();
    }

    @AfterEach
    void close() {
        for (int socket : sockets) {
            Libc.close(state, socket);
        }
    }

    @Test
    void dataGoesByTheNumberOfItsQueuePair() throws IOException {
        for (int i = 0; i < HandOver.DEVICES; i++) {
            packet.putInt(4, i << 20 | 0x1234);
            assertThat(chosen()).isEqualTo(i);
            assertThat(ours()).isEqualTo(i);
        }
    }

    @Test
    void managementGoesByTheNumberThatItAnswers() throws IOException {
        for (int attribute : ATTRIBUTES) {
            for (int i = 0; i < HandOver.DEVICES; i++) {
                manage(attribute, i << 28 | 77, (HandOver.DEVICES - 1 - i) << 28 | 99);
                int expected =
                        switch (attribute) {
                            case CmReq.ATTRIBUTE_ID, CmSidrReq.ATTRIBUTE_ID -> Steering.REQUESTS;
                            case CmSidrRep.ATTRIBUTE_ID -> i;
                            default -> HandOver.DEVICES - 1 - i;
                        };
                assertThat(chosen()).as("attribute 0x%x", attribute).isEqualTo(expected);
                assertThat(ours()).isEqualTo(expected);
            }
        }
    }

    @Test
    void managementThatNamesNoDeviceIsForAll() throws IOException {
        manage(CmRej.ATTRIBUTE_ID, 77, 0);
        assertThat(chosen()).isEqualTo(Steering.REQUESTS);
        assertThat(ours()).isEqualTo(Steering.REQUESTS);
        // Of another class.
        manage(CmRep.ATTRIBUTE_ID, 77, 3 << 28);
        packet.put(21, (byte) 4);
        assertThat(chosen()).isEqualTo(Steering.REQUESTS);
        assertThat(ours()).isEqualTo(Steering.REQUESTS);
    }

    @Test
    void bothChooseTheSameOfAnyBytes() throws IOException {
        SplittableRandom random = Seed.forTest("SteeringTest", 1).random();
        for (int i = 0; i < 5000; i++) {
            random.nextBytes(packet.array());
            if (i % 2 == 0) {
                int attribute = ATTRIBUTES[random.nextInt(ATTRIBUTES.length)];
                manage(attribute, random.nextInt(), random.nextInt());
            }
            int expected = ours();
            int chosen = chosen();
            if (expected != Steering.NOBODY) {
                assertThat(chosen).as("packet %d", i).isEqualTo(expected);
            }
        }
    }

    private void manage(int attribute, int first, int second) {
        packet.putInt(4, 1).put(21, (byte) 7).putShort(36, (short) attribute);
        packet.putInt(44, first).putInt(48, second);
    }

    private int ours() {
        return Steering.socketOf(MemorySegment.ofArray(packet.array()), 0, LENGTH);
    }

    /// Which socket the kernel gives it to.
    private int chosen() throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(place, 0));
            channel.send(packet.duplicate().clear(), new InetSocketAddress(place, PORT));
        }
        MessageHeader message = new MessageHeader();
        message.buffer(arrival.bytes);
        for (int i = 0; i < sockets.length; i++) {
            if (Libc.recvmsgNow(sockets[i], message.prepare()) == LENGTH) {
                return i;
            }
        }
        throw new AssertionError("no socket has it");
    }
}
