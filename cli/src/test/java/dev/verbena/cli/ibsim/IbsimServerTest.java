package dev.verbena.cli.ibsim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PortCapability;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SmInfo;
import dev.verbena.wire.mad.Smp;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The protocol of ibsim, spoken by a client that was written from its layout.
class IbsimServerTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final int CLIENTS = 4;

    /// Of the port of the third host.
    private static final long GUID = 0x0200_0000_0000_0301L;

    private static final int TIMEOUT_MS = 10_000;

    /// Long enough for a wrong answer to come, where none is to come.
    private static final int SILENCE_MS = 200;

    private final StringWriter text = new StringWriter();
    private IbsimServer server;
    private Thread thread;

    /// A program with its two sockets.
    private final class Program implements AutoCloseable {
        final DatagramSocket control = new DatagramSocket(0, HERE);
        final DatagramSocket data = new DatagramSocket(0, HERE);
        int slot;

        Program() throws IOException {
            control.setSoTimeout(TIMEOUT_MS);
            data.setSoTimeout(TIMEOUT_MS);
        }

        ByteBuffer call(int type, int client, byte... content) throws IOException {
            ByteBuffer message = ByteBuffer.allocate(80).order(ByteOrder.nativeOrder());
            message.putInt(0xDEADBEEF).putInt(client).putInt(type).putInt(content.length);
            message.put(content);
            control.send(new DatagramPacket(message.array(), 80, server.address()));
            DatagramPacket answer = new DatagramPacket(new byte[100], 100);
            control.receive(answer);
            assertThat(answer.getLength()).isEqualTo(80);
            return ByteBuffer.wrap(answer.getData(), 0, 80).slice().order(ByteOrder.nativeOrder());
        }

        boolean attach(String node, boolean isManager) throws IOException {
            ByteBuffer content = ByteBuffer.allocate(44).order(ByteOrder.nativeOrder());
            content.putInt(data.getLocalPort()).putInt(0).putInt(isManager ? 1 : 0);
            content.put(node.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            ByteBuffer answer = call(1, 0, content.array());
            slot = answer.getInt(16);
            return answer.getInt(8) == 1;
        }

        void send(byte[] message) throws IOException {
            InetSocketAddress to =
                    new InetSocketAddress(HERE, server.address().getPort() + 1 + slot);
            data.send(new DatagramPacket(message, message.length, to));
        }

        ByteBuffer receive() throws IOException {
            DatagramPacket answer = new DatagramPacket(new byte[400], 400);
            data.receive(answer);
            assertThat(answer.getLength()).isEqualTo(288);
            return ByteBuffer.wrap(Arrays.copyOf(answer.getData(), 288));
        }

        boolean isSilent() throws IOException {
            data.setSoTimeout(SILENCE_MS);
            try {
                receive();
                return false;
            } catch (SocketTimeoutException silent) {
                return true;
            } finally {
                data.setSoTimeout(TIMEOUT_MS);
            }
        }

        @Override
        public void close() {
            control.close();
            data.close();
        }
    }

    IbsimServerTest() {
        server = start();
        thread = new Thread();
    }

    private IbsimServer start() {
        Fabric fabric = new Fabric(FatTree.single(4).topology(), FabricSettings.INFINIBAND);
        for (int port = 21_000; port < 60_000; port += 101) {
            IbsimOptions options =
                    new IbsimOptions(
                            new InetSocketAddress(HERE, port), CLIENTS, 1, 0, Long.MAX_VALUE / 4);
            try {
                return new IbsimServer(fabric, options, new PrintWriter(text));
            } catch (IOException taken) {
                // The next one may be free.
                assertThat(taken).isNotNull();
            }
        }
        throw new AssertionError("no port is free");
    }

    @BeforeEach
    void serve() {
        thread =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        server.serve();
                                    } catch (IOException failed) {
                                        throw new java.io.UncheckedIOException(failed);
                                    }
                                });
    }

    @AfterEach
    void end() throws IOException, InterruptedException {
        assertThat(thread.isAlive()).as("the server lives").isTrue();
        server.end();
        thread.join();
        server.close();
    }

    private static byte[] message(int lid, MemorySegment mad) {
        ByteBuffer bytes = ByteBuffer.allocate(288);
        bytes.putShort(0, (short) lid);
        bytes.putShort(4, (short) (lid == 0xFFFF ? lid : 0));
        bytes.putLong(24, 256);
        bytes.position(32);
        bytes.put(mad.asByteBuffer());
        return bytes.array();
    }

    private static MemorySegment request(int group, int attribute, long transaction, int... path) {
        MemorySegment mad = MemorySegment.ofArray(new byte[256]);
        int version = group == ManagementClass.SUBNET_ADMINISTRATION ? 2 : 1;
        Mad header = new Mad(group, version, MadMethod.GET, 0, 0, transaction, attribute, 0);
        Smp.request(mad, 0, header, 0);
        if (group == ManagementClass.SUBNET_DIRECTED_ROUTE) {
            Smp.route(mad, 0, path);
        }
        return mad;
    }

    private static MemorySegment mad(ByteBuffer message) {
        return MemorySegment.ofBuffer(message).asSlice(32);
    }

    @Test
    void aProgramAttachesAndAsksAboutItsPort() throws IOException {
        try (Program program = new Program()) {
            assertThat(program.attach("host 2", false)).isTrue();
            ByteBuffer node = program.call(7, program.slot);
            assertThat(node.get(16 + 2)).isEqualTo((byte) NodeInfo.CHANNEL_ADAPTER);
            assertThat(BigEndian.i64(MemorySegment.ofBuffer(node), 16 + 20)).isEqualTo(GUID);
            ByteBuffer keys = program.call(10, program.slot);
            assertThat(keys.getShort(16)).isEqualTo((short) 0xFFFF);
            assertThat(program.call(99, program.slot).getInt(8)).isZero();
            assertThat(program.call(2, program.slot).getInt(8)).isEqualTo(2);
            assertThat(program.call(7, program.slot).getInt(8)).isZero();
        }
    }

    @Test
    void aDirectedRouteIsAnsweredAndKeepsTheProgramsPartOfTheTransaction() throws IOException {
        try (Program program = new Program()) {
            program.attach("", false);
            program.send(message(0xFFFF, request(0x81, 0x11, 0x1234_0000_5678L, 1, 3)));

            ByteBuffer answer = program.receive();

            assertThat(answer.getInt(16)).isZero();
            MemorySegment mad = mad(answer);
            assertThat(Mad.method(mad, 0)).isEqualTo(MadMethod.GET_RESPONSE);
            assertThat(Mad.transactionId(mad, 0) & 0xFFFF_FFFF_FFFFL).isEqualTo(0x1234_0000_5678L);
            assertThat(NodeInfo.PORT_GUID.read(mad, Smp.DATA)).isEqualTo(GUID);
            assertThat(answer.get(32 + 6)).as("hop pointer").isZero();
            assertThat(answer.get(32 + 193)).as("way back").isEqualTo((byte) 1);
        }
    }

    @Test
    void aDatagramThatIsDroppedComesBackAsTimedOut() throws IOException {
        try (Program program = new Program()) {
            program.attach("", false);
            program.send(message(0xFFFF, request(0x81, 0x11, 5, 1, 200)));
            ByteBuffer back = program.receive();
            assertThat(back.getInt(16)).isEqualTo(110);
            assertThat(Mad.method(mad(back), 0)).isEqualTo(MadMethod.GET);

            program.send(new byte[100]);
            program.send(new byte[400]);
            assertThat(program.isSilent()).isTrue();
        }
    }

    @Test
    void anotherProgramCannotSpeakForOne() throws IOException {
        try (Program program = new Program();
                Program other = new Program()) {
            program.attach("", false);
            assertThat(other.call(2, program.slot).getInt(8)).isZero();
            assertThat(other.call(9, program.slot, (byte) 1).getInt(8)).isZero();
            other.slot = program.slot;
            other.send(message(0xFFFF, request(0x81, 0x11, 5, 1)));
            assertThat(other.isSilent()).isTrue();
            assertThat(program.isSilent()).isTrue();
        }
    }

    @Test
    void requestsToAManagerReachItAndItsAnswersTheOneWhoAsked() throws IOException {
        try (Program manager = new Program();
                Program program = new Program()) {
            manager.attach("host 0", true);
            program.attach("host 1", false);
            assertThat(isManager(program)).isTrue();
            program.send(message(0xFFFF, request(0x81, SmInfo.ATTRIBUTE_ID, 9, 1, 1)));

            ByteBuffer asked = manager.receive();
            MemorySegment mad = mad(asked);
            assertThat(Mad.attributeId(mad, 0)).isEqualTo(SmInfo.ATTRIBUTE_ID);
            Smp.answer(mad, 0, 0);
            SmInfo.PRIORITY.write(mad, Smp.DATA, 7);
            manager.send(message(0xFFFF, mad));

            ByteBuffer answer = program.receive();
            assertThat(SmInfo.PRIORITY.read(mad(answer), Smp.DATA)).isEqualTo(7);

            // A class that no manager has registered must not reach its library.
            program.send(message(0xFFFF, request(0x09, 1, 10)));
            assertThat(manager.isSilent()).isTrue();
        }
    }

    private boolean isManager(Program asking) throws IOException {
        asking.send(message(0xFFFF, request(0x81, PortInfo.ATTRIBUTE_ID, 8, 1, 1)));
        int mask = PortInfo.CAPABILITY_MASK.readInt(mad(asking.receive()), Smp.DATA);
        return (mask & PortCapability.IS_SM) != 0;
    }

    @Test
    void thereIsNoRoomForMoreProgramsThanWereAllowedUntilOneHasEnded() throws IOException {
        Program[] programs = new Program[CLIENTS];
        for (int i = 0; i < CLIENTS; i++) {
            programs[i] = new Program();
            assertThat(programs[i].attach("", i == 0)).isTrue();
        }
        try (Program late = new Program()) {
            assertThat(late.attach("", false)).isFalse();
            assertThat(late.attach("no such host", false)).isFalse();
            programs[0].close();
            assertThat(late.attach("host 1", false)).isTrue();
            assertThat(isManager(late)).as("the manager that has ended").isFalse();
        }
        for (Program program : programs) {
            program.close();
        }
    }
}
