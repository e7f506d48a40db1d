package dev.verbena.cli;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;

/// The TCP connection to a program of perftest: both sides swap messages of the same length, the
/// client's first.
///
/// It never blocks, so that the device can work while this side waits.
final class PerftestExchange implements Closeable {
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);
    private static final long LIMIT_NS = 30_000_000_000L;
    private static final long BYE_LIMIT_NS = 2_000_000_000L;
    private static final long LOOK_NS = 1_000_000_000L;
    private static final long NAP_NS = 200_000;

    /// The work of a side while it waits.
    interface Work {
        /// A wait without other work.
        Work NAP = () -> LockSupport.parkNanos(NAP_NS);

        void turn();

        /// A number that changes as long as there is a reason to wait.
        default long moved() {
            return 0;
        }
    }

    private final SocketChannel channel;
    private final boolean isClient;
    private final ByteBuffer in = ByteBuffer.allocate(PerftestRecord.LENGTH);

    PerftestExchange(SocketChannel channel, boolean isClient) throws IOException {
        this.channel = channel;
        this.isClient = isClient;
        channel.configureBlocking(false);
        channel.socket().setTcpNoDelay(true);
    }

    boolean isClient() {
        return isClient;
    }

    InetAddress localAddress() {
        return channel.socket().getLocalAddress();
    }

    String peerName() {
        return PerfTcp.peerName(channel);
    }

    /// Sends bytes and returns the answer of the peer, which has the same length.
    byte[] swap(byte[] ours, Work work) {
        try {
            if (isClient) {
                write(ours);
                return read(ours.length, LIMIT_NS, work);
            }
            byte[] theirs = read(ours.length, LIMIT_NS, work);
            write(ours);
            return theirs;
        } catch (IOException broken) {
            throw new PerfException(
                    "%s: the connection broke (%s); check its output"
                            .formatted(peerName(), broken.getMessage()),
                    broken);
        }
    }

    /// Whether the other side has begun to say something, or has left.
    boolean isSpoken() {
        try {
            return in.position() > 0 || channel.read(in) != 0;
        } catch (IOException broken) {
            return true;
        }
    }

    /// The last word. Both sides say it and leave, without waiting for the other's.
    void bye() {
        try {
            write(DONE);
            byte[] unused = read(DONE.length, BYE_LIMIT_NS, Work.NAP);
            assert unused.length == DONE.length;
        } catch (IOException | PerfException gone) {
            // It may have left already, and all that matters was said before.
        }
    }

    /// Sends in one piece: perftest takes the bytes of one read() for the whole message.
    private void write(byte[] bytes) throws IOException {
        PerfTcp.write(channel, ByteBuffer.wrap(bytes));
    }

    private byte[] read(int length, long limitNs, Work work) throws IOException {
        in.limit(length);
        long movedNs = System.nanoTime();
        long lookedNs = movedNs;
        long moved = work.moved();
        while (in.hasRemaining()) {
            int count = channel.read(in);
            if (count < 0) {
                throw new PerfException(
                        peerName() + ": it closed the connection; check its output");
            }
            if (count > 0) {
                continue;
            }
            work.turn();
            long nowNs = System.nanoTime();
            if (nowNs - lookedNs > LOOK_NS) {
                lookedNs = nowNs;
                long now = work.moved();
                if (now != moved) {
                    moved = now;
                    movedNs = nowNs;
                }
            }
            if (nowNs - movedNs > limitNs) {
                throw new PerfException(
                        "%s: %d of %d bytes, then none for %d s; check whether it still runs"
                                .formatted(
                                        peerName(),
                                        in.position(),
                                        length,
                                        limitNs / 1_000_000_000L));
            }
        }
        byte[] bytes = new byte[length];
        in.flip().get(bytes);
        in.clear();
        return bytes;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException ignored) {
            // There is nothing left to say to it.
        }
    }
}
