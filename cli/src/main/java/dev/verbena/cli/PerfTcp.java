package dev.verbena.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// How the two sides of a test find each other.
final class PerfTcp {
    private static final int CONNECT_LIMIT_MS = 10_000;
    private static final long WRITE_LIMIT_NS = 30_000_000_000L;
    private static final long NAP_NS = 200_000;

    private PerfTcp() {}

    /// @param from the address to use on this side, or null for any
    /// @param hint the remedy when no server is there
    static SocketChannel connect(
            InetSocketAddress server, @Nullable InetSocketAddress from, String hint)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            if (from != null) {
                channel.bind(from);
            }
            channel.socket().connect(server, CONNECT_LIMIT_MS);
            return channel;
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw new PerfException(
                    "%s port %d: cannot connect (%s); %s"
                            .formatted(
                                    server.getHostString(),
                                    server.getPort(),
                                    failed.getMessage(),
                                    hint),
                    failed);
        }
    }

    /// Listens, reports the port, and accepts the first client.
    ///
    /// @param waitMs how long to wait for that, 0 for ever
    static SocketChannel accept(InetSocketAddress at, int waitMs, IntConsumer listening)
            throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.socket().setReuseAddress(true);
            bind(listener.socket(), at);
            listening.accept(listener.socket().getLocalPort());
            return accept(listener.socket(), waitMs);
        }
    }

    private static SocketChannel accept(ServerSocket socket, int waitMs) throws IOException {
        socket.setSoTimeout(waitMs);
        try {
            return socket.accept().getChannel();
        } catch (SocketTimeoutException nobody) {
            throw new PerfException(
                    "port %d: no client within %d s"
                            .formatted(socket.getLocalPort(), waitMs / 1000),
                    nobody);
        }
    }

    /// Whom a connection leads to.
    static String peerName(SocketChannel channel) {
        return channel.socket().getRemoteSocketAddress() instanceof InetSocketAddress peer
                ? peer.getAddress().getHostAddress() + " port " + peer.getPort()
                : "peer";
    }

    /// Text of the peer without control characters for a terminal.
    static String shown(String text) {
        return text.replaceAll("[^ -~]", ".");
    }

    /// Writes all bytes to a peer that may be slow.
    static void write(SocketChannel channel, ByteBuffer bytes) throws IOException {
        long startNs = System.nanoTime();
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                if (System.nanoTime() - startNs > WRITE_LIMIT_NS) {
                    throw new PerfException(
                            peerName(channel) + ": it does not read; check whether it still runs");
                }
                LockSupport.parkNanos(NAP_NS);
            }
        }
    }

    private static void bind(ServerSocket socket, InetSocketAddress at) {
        try {
            socket.bind(at, 1);
        } catch (IOException taken) {
            throw new PerfException(
                    "port %d: cannot listen (%s); choose another with -p"
                            .formatted(at.getPort(), taken.getMessage()),
                    taken);
        }
    }
}
