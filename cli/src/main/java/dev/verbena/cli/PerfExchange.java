package dev.verbena.cli;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The TCP connection over which two sides agree: lines of text, each a word and its arguments.
///
/// It never blocks, so that a side can let its device work while it waits.
final class PerfExchange implements Closeable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int LINE_MAX = 1 << 16;
    private static final long NAP_NS = 200_000;

    /// First word of a line that ends the test.
    private static final String FAILED = "failed";

    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES).flip();
    private final StringBuilder line = new StringBuilder();

    PerfExchange(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        channel.socket().setTcpNoDelay(true);
    }

    InetAddress localAddress() {
        return channel.socket().getLocalAddress();
    }

    String peerName() {
        return PerfTcp.peerName(channel);
    }

    void send(String text) {
        try {
            PerfTcp.write(channel, StandardCharsets.UTF_8.encode(text + "\n"));
        } catch (IOException broken) {
            throw gone(broken);
        }
    }

    /// The next line, or null when there is no whole one yet.
    @Nullable String poll() {
        try {
            while (true) {
                while (in.hasRemaining()) {
                    char next = (char) in.get();
                    if (next == '\n') {
                        String text = line.toString();
                        line.setLength(0);
                        return checked(text);
                    }
                    if (next == 0) {
                        throw new PerfException(
                                peerName()
                                        + ": it uses perftest's protocol; use --perftest"
                                        + " here, or start verbena perf there");
                    }
                    if (line.length() == LINE_MAX) {
                        throw new PerfException(
                                peerName() + ": its line is too long; check the program there");
                    }
                    line.append(next);
                }
                in.clear();
                int count = channel.read(in);
                in.flip();
                if (count < 0) {
                    throw new PerfException(
                            peerName() + ": it closed the connection; check its output");
                }
                if (count == 0) {
                    return null;
                }
            }
        } catch (IOException broken) {
            throw gone(broken);
        }
    }

    /// Waits for a line that begins with a word, lets `meanwhile` run, and returns the rest of it.
    String await(String word, long limitNs, Runnable meanwhile) {
        long startNs = System.nanoTime();
        while (true) {
            String text = poll();
            if (text != null) {
                return words(text, word);
            }
            if (System.nanoTime() - startNs > limitNs) {
                throw new PerfException(
                        "%s: no '%s' within %d s; check whether it still runs"
                                .formatted(peerName(), word, limitNs / 1_000_000_000L));
            }
            meanwhile.run();
        }
    }

    /// The rest of a line after its first word, which must be the expected one.
    static String words(String text, String word) {
        if (!text.equals(word) && !text.startsWith(word + " ")) {
            throw new PerfException(
                    ("peer: it sent '%.60s' instead of '%s'; use the same version of"
                                    + " verbena on both sides")
                            .formatted(PerfTcp.shown(text), word));
        }
        return text.substring(word.length()).strip();
    }

    /// A number that the peer has sent.
    static long count(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException malformed) {
            throw new PerfException(
                    "peer: it sent '%.60s' instead of a number; use the same version of verbena on"
                                    .formatted(PerfTcp.shown(text))
                            + " both sides",
                    malformed);
        }
    }

    /// Sends the peer the reason for a failure; the peer may be gone already.
    void fail(String why) {
        try {
            send(FAILED + " " + why.replace('\n', ' '));
        } catch (PerfException unheard) {
            // It will notice that the connection is closed.
        }
    }

    private static String checked(String text) {
        if (text.startsWith(FAILED)) {
            throw new PerfException("peer: it failed: " + PerfTcp.shown(words(text, FAILED)));
        }
        return text;
    }

    private PerfException gone(IOException broken) {
        return new PerfException(
                "peer: the connection broke (" + broken.getMessage() + "); check its output",
                broken);
    }

    /// A wait without other work.
    static void nap() {
        LockSupport.parkNanos(NAP_NS);
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
