package dev.verbena.benchmarks.roce;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Locale;

/// The ordinary way: a blocking TCP socket in Java, written and read in pieces of 1 MiB of direct
/// memory.
public final class TcpStream {
    private static final int PIECE_BYTES = 1 << 20;
    private static final Duration WARM_UP = Duration.ofSeconds(2);

    private TcpStream() {}

    /// Takes `receive ADDRESS PORT` or `send ADDRESS PORT SECONDS`; the sender prints its speed.
    public static void main(String[] arguments) throws IOException {
        InetSocketAddress address =
                new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        if (arguments[0].equals("receive")) {
            receive(address);
        } else {
            send(address, Duration.ofSeconds(Integer.parseInt(arguments[3])));
        }
    }

    private static void receive(InetSocketAddress address) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE_BYTES);
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(address);
            try (SocketChannel channel = listener.accept()) {
                while (channel.read(buffer) >= 0) {
                    if (!buffer.hasRemaining()) {
                        buffer.clear();
                    }
                }
            }
        }
    }

    private static void send(InetSocketAddress address, Duration duration) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE_BYTES);
        try (SocketChannel channel = SocketChannel.open(address)) {
            stream(channel, buffer, WARM_UP);
            double gigabits = stream(channel, buffer, duration);
            System.out.printf(Locale.ROOT, "{\"BW_average\": %.3f}%n", gigabits);
        }
    }

    private static double stream(SocketChannel channel, ByteBuffer buffer, Duration duration)
            throws IOException {
        long start = System.nanoTime();
        long bytes = 0;
        long took = 0;
        while (took < duration.toNanos()) {
            buffer.clear();
            while (buffer.hasRemaining()) {
                bytes += channel.write(buffer);
            }
            took = System.nanoTime() - start;
        }
        return bytes * 8.0 / took;
    }
}
