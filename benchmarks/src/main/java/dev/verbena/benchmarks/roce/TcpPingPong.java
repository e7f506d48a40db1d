package dev.verbena.benchmarks.roce;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Locale;

/// Eight bytes there and back by a TCP socket in Java, blocking or with a selector.
public final class TcpPingPong {
    private static final int BYTES = 8;
    private static final long WARM_UP_NS = 3_000_000_000L;
    private static final int KEPT = 1 << 20;

    private final SocketChannel channel;
    private final boolean isBlocking;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
    private final Selector selector;

    private TcpPingPong(SocketChannel channel, boolean isBlocking) throws IOException {
        this.channel = channel;
        this.isBlocking = isBlocking;
        selector = Selector.open();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(isBlocking);
        if (!isBlocking) {
            channel.register(selector, SelectionKey.OP_READ);
        }
    }

    /// Takes `answer blocking|nio ADDRESS PORT` or `ask blocking|nio ADDRESS PORT SECONDS`, which
    /// prints half of the median round trip.
    public static void main(String[] arguments) throws IOException {
        boolean isBlocking = arguments[1].equals("blocking");
        InetSocketAddress address =
                new InetSocketAddress(arguments[2], Integer.parseInt(arguments[3]));
        if (arguments[0].equals("answer")) {
            try (ServerSocketChannel listener = ServerSocketChannel.open()) {
                listener.bind(address);
                try (SocketChannel channel = listener.accept()) {
                    new TcpPingPong(channel, isBlocking).answer();
                }
            }
        } else {
            try (SocketChannel channel = SocketChannel.open(address)) {
                new TcpPingPong(channel, isBlocking).ask(Long.parseLong(arguments[4]));
            }
        }
    }

    private void answer() throws IOException {
        while (read()) {
            write();
        }
    }

    private void ask(long seconds) throws IOException {
        long[] samples = new long[KEPT];
        long begunNs = System.nanoTime();
        long endNs = begunNs + WARM_UP_NS + seconds * 1_000_000_000L;
        int count = 0;
        for (long nowNs = begunNs; nowNs < endNs && count < KEPT; ) {
            write();
            if (!read()) {
                throw new IOException("the other side has ended");
            }
            long afterNs = System.nanoTime();
            if (nowNs - begunNs > WARM_UP_NS) {
                samples[count++] = afterNs - nowNs;
            }
            nowNs = afterNs;
        }
        Arrays.sort(samples, 0, count);
        System.out.printf(Locale.ROOT, "{\"t_typical\": %.3f}%n", samples[count / 2] / 2e3);
    }

    private void write() throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /// False at the end of the stream.
    private boolean read() throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            int read = channel.read(buffer);
            if (read < 0) {
                return false;
            }
            if (read == 0 && !isBlocking) {
                selector.select();
                selector.selectedKeys().clear();
            }
        }
        return true;
    }
}
