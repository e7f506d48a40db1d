package dev.verbena.cli.ibsim;

import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.subnet.DatagramSink;
import dev.verbena.subnet.SubnetManager;
import dev.verbena.subnet.SweepReport;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// A subnet manager that is attached to a simulated subnet by the protocol of ibsim, over UDP.
public final class SmClient implements AutoCloseable {
    private static final int BUFFER_BYTES = 4 << 20;
    private static final int ATTEMPTS = 10;
    private static final long ATTEMPT_MS = 500;
    private static final long NS_PER_MS = 1_000_000;
    private static final long GATHER_NS = 50_000;

    private final DatagramChannel control = DatagramChannel.open();
    private final DatagramChannel data = DatagramChannel.open();
    private final Selector selector = Selector.open();
    private final ByteBuffer out = ByteBuffer.allocateDirect(DataMessage.LENGTH);
    private final ByteBuffer in = ByteBuffer.allocateDirect(DataMessage.LENGTH);
    private final MemorySegment arrived = MemorySegment.ofBuffer(in);
    private final SubnetManager manager;
    private int slot;
    private volatile boolean isEnding;
    private Runnable watch = () -> {};

    /// Attaches to a server.
    ///
    /// @param node at which; empty: at the first
    public SmClient(InetSocketAddress server, String node, SubnetManager manager)
            throws IOException {
        this.manager = manager;
        try {
            control.connect(server);
            data.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            data.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
            data.bind(new InetSocketAddress(server.getAddress(), 0));
            ControlMessage connect = new ControlMessage(ByteBuffer.allocate(ControlMessage.LENGTH));
            int own = ((InetSocketAddress) data.getLocalAddress()).getPort();
            connect.word(0, own);
            connect.node(node);
            slot = call(connect, ControlMessage.CONNECT).word(0);
            data.connect(new InetSocketAddress(server.getAddress(), server.getPort() + 1 + slot));
            data.configureBlocking(false);
            data.register(selector, SelectionKey.OP_READ);
            ControlMessage master = new ControlMessage(ByteBuffer.allocate(ControlMessage.LENGTH));
            master.word(0, 1);
            call(master, ControlMessage.SET_ISSM);
        } catch (IOException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /// Sends a request on the control socket, again until there is an answer.
    private ControlMessage call(ControlMessage request, int type) throws IOException {
        request.client(slot);
        request.type(type);
        control.configureBlocking(false);
        try (Selector answers = Selector.open()) {
            SelectionKey key = control.register(answers, SelectionKey.OP_READ);
            ByteBuffer answer = ByteBuffer.allocate(ControlMessage.LENGTH);
            for (int i = 0; i < ATTEMPTS; i++) {
                control.write(request.bytes());
                answers.select(ATTEMPT_MS);
                if (control.read(answer.clear()) == ControlMessage.LENGTH) {
                    key.cancel();
                    ControlMessage made = new ControlMessage(answer.order(ByteOrder.nativeOrder()));
                    if (made.type() != type) {
                        throw new IOException(
                                "the server refuses: is the node's name right, and is there room"
                                        + " for a client?");
                    }
                    return made;
                }
            }
        } catch (PortUnreachableException none) {
            // Said below.
        }
        throw new IOException(
                "no server answers at %s: start verbena ibsim or ibsim -r first"
                        .formatted(control.getRemoteAddress()));
    }

    /// Looks at a file of partitions while it manages.
    public void watch(PartitionWatch partitions) {
        watch = partitions::look;
    }

    /// Manages until [#end], or until the subnet is up the first time.
    ///
    /// @param reports gets what was found and done
    public void run(boolean isOnce, Consumer<SweepReport> reports) throws IOException {
        manager.start(System.nanoTime());
        try {
            drive(isOnce, reports);
        } catch (PortUnreachableException gone) {
            throw new IOException(
                    "the server at %s has ended".formatted(control.getRemoteAddress()), gone);
        }
    }

    private void drive(boolean isOnce, Consumer<SweepReport> reports) throws IOException {
        boolean isDone = false;
        while (!isEnding && !isDone) {
            watch.run();
            boolean hasSent = flush();
            boolean hasReceived = receive();
            Optional<SweepReport> report = manager.pollReport();
            report.ifPresent(reports);
            isDone = isOnce && report.isPresent();
            if (!hasSent && !hasReceived && !isDone) {
                await();
            }
        }
    }

    private void await() throws IOException {
        long leftNs = manager.timeoutNs() - System.nanoTime();
        if (leftNs > 0) {
            selector.select(Math.clamp(leftNs / NS_PER_MS, 1, 1_000));
            selector.selectedKeys().clear();
            // Where one answer is, others follow: a little later one wake-up serves many.
            LockSupport.parkNanos(GATHER_NS);
        } else {
            manager.handleTimeout(System.nanoTime());
        }
    }

    private boolean flush() throws IOException {
        boolean hasSent = false;
        IOException[] failed = new IOException[1];
        while (manager.transmit(
                System.nanoTime(), (lid, pair, mad) -> send(lid, pair, mad, failed))) {
            hasSent = true;
        }
        if (failed[0] != null) {
            throw failed[0];
        }
        return hasSent;
    }

    private void send(int lid, int pair, MemorySegment mad, IOException[] failed) {
        MadEnvelope envelope =
                lid == DatagramSink.DIRECTED
                        ? MadEnvelope.DIRECTED
                        : new MadEnvelope(lid, 0, pair, pair == 0 ? 0 : 1);
        DataMessage.write(out, envelope, 0, mad);
        try {
            // A full buffer loses it, as a network may; it is sent again after its timeout.
            data.write(out);
        } catch (IOException broken) {
            failed[0] = broken;
        }
    }

    private boolean receive() throws IOException {
        boolean hasReceived = false;
        while (data.read(in.clear()) > 0) {
            hasReceived = true;
            in.flip();
            // The server sends back, with an error, what did not arrive.
            if (in.remaining() == DataMessage.LENGTH && DataMessage.status(in) == 0) {
                MadEnvelope from = DataMessage.envelope(in);
                MemorySegment mad = arrived.asSlice(DataMessage.MAD, DataMessage.MAD_LENGTH);
                manager.handle(System.nanoTime(), from.sourceLid(), from.sourceQueuePair(), mad);
            }
        }
        return hasReceived;
    }

    /// Ends [#run], from any thread.
    public void end() {
        isEnding = true;
        selector.wakeup();
    }

    @Override
    public void close() throws IOException {
        try {
            if (data.isConnected() && control.isOpen()) {
                ControlMessage leave =
                        new ControlMessage(ByteBuffer.allocate(ControlMessage.LENGTH));
                leave.client(slot);
                leave.type(ControlMessage.DISCONNECT);
                control.write(leave.bytes());
            }
        } finally {
            selector.close();
            control.close();
            data.close();
        }
    }
}
