package dev.verbena.cli.ibsim;

import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.subnet.DatagramSink;
import dev.verbena.wire.BigEndian;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A port of a simulated subnet, to which a program attaches by the protocol of ibsim, over UDP.
public final class IbsimPort implements ManagementLink {
    private static final int BUFFER_BYTES = 4 << 20;
    private static final int ATTEMPTS = 10;

    /// Datagrams that are handed over before answers go and time is looked at.
    private static final int AT_A_TIME = 256;

    private static final long ATTEMPT_MS = 500;
    private static final long NS_PER_MS = 1_000_000;
    private static final long GATHER_NS = 50_000;

    private final DatagramChannel control = DatagramChannel.open();
    private final DatagramChannel data = DatagramChannel.open();
    private final Selector selector = Selector.open();
    private final ByteBuffer out = ByteBuffer.allocateDirect(DataMessage.LENGTH);
    private final ByteBuffer in = ByteBuffer.allocateDirect(DataMessage.LENGTH);
    private final MemorySegment arrived = MemorySegment.ofBuffer(in);
    private int slot;

    /// Requests on the control socket whose answers are still to come.
    private int unanswered;

    /// Attaches to a server.
    ///
    /// @param node at which; empty: at the first
    /// @param isManager whether requests to managers come here
    public IbsimPort(InetSocketAddress server, String node, boolean isManager) throws IOException {
        try {
            control.connect(server);
            data.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            data.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
            data.bind(new InetSocketAddress(server.getAddress(), 0));
            ControlMessage connect = message();
            int own = ((InetSocketAddress) data.getLocalAddress()).getPort();
            connect.word(0, own);
            connect.node(node);
            slot = call(connect, ControlMessage.CONNECT).word(0);
            data.connect(new InetSocketAddress(server.getAddress(), server.getPort() + 1 + slot));
            data.configureBlocking(false);
            data.register(selector, SelectionKey.OP_READ);
            if (isManager) {
                ControlMessage master = message();
                master.word(0, 1);
                call(master, ControlMessage.SET_ISSM);
            }
        } catch (IOException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    private static ControlMessage message() {
        return new ControlMessage(ByteBuffer.allocate(ControlMessage.LENGTH));
    }

    /// Sends a request on the control socket, again until there is an answer. Each that was sent
    /// may have one, and messages have no numbers: a late answer to an earlier request is known by
    /// its type, and by how many are still to come.
    private ControlMessage call(ControlMessage request, int type) throws IOException {
        request.client(slot);
        request.type(type);
        control.configureBlocking(false);
        try (Selector answers = Selector.open()) {
            SelectionKey key = control.register(answers, SelectionKey.OP_READ);
            for (int i = 0; i < ATTEMPTS; i++) {
                control.write(request.bytes());
                unanswered++;
                long untilNs = System.nanoTime() + ATTEMPT_MS * NS_PER_MS;
                for (long leftMs = ATTEMPT_MS; leftMs > 0; ) {
                    answers.select(leftMs);
                    answers.selectedKeys().clear();
                    ControlMessage answer = readAnswer(type);
                    if (answer != null) {
                        key.cancel();
                        return answer;
                    }
                    leftMs = (untilNs - System.nanoTime()) / NS_PER_MS;
                }
            }
        } catch (PortUnreachableException none) {
            // Said below.
        }
        throw new IOException(
                "no server answers at %s: start verbena ibsim or ibsim -r first"
                        .formatted(control.getRemoteAddress()));
    }

    /// The next answer to a request of this type, if it is there.
    private @Nullable ControlMessage readAnswer(int type) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(ControlMessage.LENGTH + 1);
        while (control.read(bytes.clear()) >= 0 && bytes.position() > 0) {
            if (!ControlMessage.isOne(bytes.flip())) {
                continue;
            }
            unanswered--;
            ControlMessage answer = new ControlMessage(bytes.clear().limit(ControlMessage.LENGTH));
            if (answer.type() == type) {
                return answer;
            }
            if (answer.type() == ControlMessage.CONNECT && answer.word(0) != slot) {
                // A server that was slow has taken this program for two.
                leave(answer.word(0));
            } else if (answer.type() == ControlMessage.ERROR && unanswered <= 0) {
                throw new IOException(
                        "the server refuses: is the node's name right, and is there room for a"
                                + " client?");
            }
        }
        return null;
    }

    private void leave(int as) throws IOException {
        ControlMessage leave = message();
        leave.client(as);
        leave.type(ControlMessage.DISCONNECT);
        control.write(leave.bytes());
        unanswered++;
    }

    /// The number that the server has given to this program.
    public int slot() {
        return slot;
    }

    /// The GUID of the port.
    public long guid() throws IOException {
        byte[] data = call(message(), ControlMessage.GET_GUID).data();
        return BigEndian.i64(MemorySegment.ofArray(data), 0);
    }

    /// The attribute PortInfo of the port, 64 bytes.
    public MemorySegment portInfo() throws IOException {
        return MemorySegment.ofArray(call(message(), ControlMessage.GET_PORTINFO).data());
    }

    @Override
    public void send(int lid, int pair, MemorySegment mad) throws IOException {
        MadEnvelope envelope =
                lid == DatagramSink.DIRECTED
                        ? MadEnvelope.DIRECTED
                        : new MadEnvelope(lid, 0, pair, pair == 0 ? 0 : 1);
        DataMessage.write(out, envelope, 0, mad);
        try {
            // A full buffer loses it, as a network may; it is sent again after its timeout.
            data.write(out);
        } catch (PortUnreachableException gone) {
            throw ended(gone);
        }
    }

    @Override
    public boolean receive(Receiver receiver) throws IOException {
        boolean hasReceived = false;
        try {
            for (int i = 0; i < AT_A_TIME && data.read(in.clear()) > 0; i++) {
                hasReceived = true;
                in.flip();
                // The server sends back, with an error, what did not arrive.
                if (in.remaining() == DataMessage.LENGTH && DataMessage.status(in) == 0) {
                    MadEnvelope from = DataMessage.envelope(in);
                    MemorySegment mad = arrived.asSlice(DataMessage.MAD, DataMessage.MAD_LENGTH);
                    receiver.receive(from.sourceLid(), from.sourceQueuePair(), mad);
                }
            }
        } catch (PortUnreachableException gone) {
            throw ended(gone);
        }
        return hasReceived;
    }

    private IOException ended(PortUnreachableException gone) throws IOException {
        return new IOException(
                "the server at %s has ended".formatted(control.getRemoteAddress()), gone);
    }

    @Override
    public void await(long mostMs) throws IOException {
        selector.select(Math.max(mostMs, 1));
        selector.selectedKeys().clear();
        // Where one answer is, others follow: a little later one wake-up serves many.
        LockSupport.parkNanos(GATHER_NS);
    }

    @Override
    public void wakeUp() {
        selector.wakeup();
    }

    @Override
    public void close() throws IOException {
        try {
            if (data.isConnected() && control.isOpen()) {
                leave(slot);
            }
        } finally {
            selector.close();
            control.close();
            data.close();
        }
    }
}
