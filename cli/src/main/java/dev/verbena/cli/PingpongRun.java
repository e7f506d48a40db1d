package dev.verbena.cli;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.ReceiveBatch;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.ValueLayout;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/// One side of the exchange that `ibv_rc_pingpong` does: a message, the answer, the next message.
final class PingpongRun implements AutoCloseable {
    private static final int SENT = 2;
    private static final int RECEIVED = 1;
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /// What `ibv_rc_pingpong` fills its memory with.
    private static final byte FILLING = 0x7b;

    /// What its `-c` puts at the beginning of every page, and looks for.
    private static final byte MARK = 0;

    private static final int PAGE = 4096;
    private static final Duration LINGER = Duration.ofMillis(100);

    private final Device device;
    private final int bytes;
    private final int rxDepth;
    private final boolean isChecked;
    private final CompletionQueue completions;
    private final MemoryRegion region;
    private final QueuePair pair;
    private int posted;
    private int sent;
    private int received;
    private int pending;

    PingpongRun(Device device, int bytes, int rxDepth, boolean isChecked) {
        this.device = device;
        this.bytes = bytes;
        this.rxDepth = rxDepth;
        this.isChecked = isChecked;
        completions = device.completionQueue(rxDepth + 1);
        ProtectionDomain domain = device.protectionDomain();
        region = domain.allocate(Math.max(bytes, 1), Access.LOCAL_WRITE);
        region.segment().fill(FILLING);
        if (isChecked) {
            for (int page = 0; page < bytes; page += PAGE) {
                region.segment().set(ValueLayout.JAVA_BYTE, page, MARK);
            }
        }
        pair =
                domain.queuePair(
                        QueuePairType.RC,
                        it -> it.completions(completions).sendDepth(1).receiveDepth(rxDepth));
        postReceives();
    }

    PingpongAddress address() {
        return PingpongAddress.of(pair.endpoint());
    }

    /// Exchanges addresses and connects: the server before it answers, so that it is ready when the
    /// client's first message comes.
    PingpongAddress meet(Socket socket, boolean isClient, int mtu) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        try {
            if (isClient) {
                out.write(address().toBytes());
                PingpongAddress there = read(in);
                connect(there, mtu);
                out.write(DONE);
                return there;
            }
            PingpongAddress there = read(in);
            connect(there, mtu);
            out.write(address().toBytes());
            in.readFully(new byte[DONE.length]);
            return there;
        } catch (EOFException early) {
            throw new PerfException("peer: it went away while we met; see what it says", early);
        }
    }

    private static PingpongAddress read(DataInputStream in) throws IOException {
        byte[] text = new byte[PingpongAddress.LENGTH];
        in.readFully(text);
        return PingpongAddress.parse(text);
    }

    private void connect(PingpongAddress there, int mtu) {
        pair.connect(
                there.toEndpoint(mtu, pair.endpoint().udpPort()),
                it -> it.pathMtu(mtu).readsAsInitiator(1).readsAsResponder(1));
    }

    /// Sends and receives so many messages; returns how long it took.
    long exchange(int iterations, boolean isClient) {
        Consumer<Completion> handler = done -> completed(done, iterations);
        long startNs = System.nanoTime();
        pending = RECEIVED;
        if (isClient) {
            send();
        }
        while (received < iterations || sent < iterations) {
            if (completions.await(LIMIT, handler) == 0) {
                throw new PerfException(
                        "qp 0x%x: no message within %d s, after %d; see what the peer says"
                                .formatted(pair.number(), LIMIT.toSeconds(), received));
            }
        }
        long ns = System.nanoTime() - startNs;
        // The peer may still wait for our last acknowledgement, or ask for it again.
        completions.await(LINGER, PerfEnd::requireSuccess);
        return ns;
    }

    private void completed(Completion done, int iterations) {
        PerfEnd.requireSuccess(done);
        int kind = (int) done.id();
        if (kind == SENT) {
            sent++;
        } else {
            received++;
            posted--;
            check(done.byteLength());
            if (posted <= 1) {
                postReceives();
            }
        }
        pending &= ~kind;
        if (sent < iterations && pending == 0) {
            send();
        }
    }

    private void send() {
        if (!pair.sends().send().local(region, 0, bytes).id(SENT).signaled().post()) {
            throw new PerfException(
                    "qp 0x%x: its send queue is full; this is a mistake".formatted(pair.number()));
        }
        pending = SENT | RECEIVED;
    }

    private void postReceives() {
        ReceiveBatch batch = pair.receives();
        for (; posted < rxDepth; posted++) {
            batch.receive().local(region, 0, bytes).id(RECEIVED);
        }
        if (!batch.post()) {
            throw new PerfException(
                    "qp 0x%x: its receive queue has no room for %d; use a smaller -r"
                            .formatted(pair.number(), rxDepth));
        }
    }

    private void check(long length) {
        if (length != bytes) {
            throw new PerfException(
                    "qp 0x%x: a message of %d bytes, not %d; use the same -s on both sides"
                            .formatted(pair.number(), length, bytes));
        }
        for (int page = 0; isChecked && page < bytes; page += PAGE) {
            byte is = region.segment().get(ValueLayout.JAVA_BYTE, page);
            if (is != MARK) {
                throw new PerfException(
                        "qp 0x%x: byte %d of message %d is 0x%02x; give -c to both sides"
                                .formatted(pair.number(), page, received, is));
            }
        }
    }

    @Override
    public void close() {
        device.close();
    }
}
