package dev.verbena.interop.matrix;

import dev.verbena.stream.StreamSettings;
import dev.verbena.stream.StreamSocket;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;

/// A client of a Valkey server over its RDMA transport, which compares each byte of each answer.
///
/// ```
/// ValkeyPeer DEVICE ADDRESS PORT COMMANDS SEED
/// ```
///
/// First PINGs of which thousands are under way, more than the server has receives; then values of
/// 1 byte to 8 MiB, set and got; then so many pairs of SET and GET, 16 at a time.
public final class ValkeyPeer {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int PINGS = 5000;
    private static final int AT_A_TIME = 16;
    private static final int[] SIZES = {1, 1000, 65_532, 65_536, 1 << 20, (1 << 20) + 1, 8 << 20};

    private final InputStream in;
    private final OutputStream out;
    private long answers;

    private ValkeyPeer(StreamSocket socket) {
        in = new BufferedInputStream(socket.input(), 1 << 16);
        // Larger than a message, so that a flush is one or few writes.
        out = new BufferedOutputStream(socket.output(), 1 << 16);
    }

    /// Ends with 1 when something is not as it should be.
    public static void main(String... words) throws IOException {
        InetSocketAddress there = new InetSocketAddress(words[1], Integer.parseInt(words[2]));
        try (Device device = Devices.open(words[0]);
                StreamSocket socket =
                        StreamSocket.connect(device, there, StreamSettings.VALKEY, LIMIT)) {
            socket.readTimeout(LIMIT);
            ValkeyPeer peer = new ValkeyPeer(socket);
            SplittableRandom random = new SplittableRandom(Long.parseLong(words[4]));
            peer.ping(socket);
            for (int size : SIZES) {
                peer.setAndGet("size:" + size, bytes(random, size));
            }
            peer.many(random, Integer.parseInt(words[3]));
            System.out.println("verified " + peer.answers + " answers");
        }
    }

    private static byte[] bytes(SplittableRandom random, int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    /// Each PING is a message of its own, since it is written by itself.
    private void ping(StreamSocket socket) throws IOException {
        byte[] ping = "*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < PINGS; i++) {
            socket.output().write(ping);
        }
        for (int i = 0; i < PINGS; i++) {
            expectLine("+PONG");
        }
    }

    private void setAndGet(String key, byte[] value) throws IOException {
        command(ascii("SET"), ascii(key), value);
        command(ascii("GET"), ascii(key));
        out.flush();
        expectLine("+OK");
        expectValue(value);
    }

    private void many(SplittableRandom random, int commands) throws IOException {
        for (int done = 0; done < commands; done += AT_A_TIME) {
            byte[][] values = new byte[AT_A_TIME][];
            for (int i = 0; i < AT_A_TIME; i++) {
                values[i] = bytes(random, random.nextInt(1, 512));
                command(ascii("SET"), ascii("key:" + i), values[i]);
                command(ascii("GET"), ascii("key:" + i));
            }
            out.flush();
            for (byte[] value : values) {
                expectLine("+OK");
                expectValue(value);
            }
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private void command(byte[]... words) throws IOException {
        out.write(ascii("*" + words.length + "\r\n"));
        for (byte[] word : words) {
            out.write(ascii("$" + word.length + "\r\n"));
            out.write(word);
            out.write(ascii("\r\n"));
        }
    }

    private void expectValue(byte[] value) throws IOException {
        expectLine("$" + value.length);
        byte[] found = in.readNBytes(value.length);
        if (!Arrays.equals(found, value)) {
            throw new IllegalStateException(
                    "a value of %d bytes differs at byte %d"
                            .formatted(value.length, Arrays.mismatch(found, value)));
        }
        expectLine("");
        answers--;
    }

    private void expectLine(String expected) throws IOException {
        StringBuilder line = new StringBuilder();
        int next;
        while ((next = in.read()) != '\n') {
            if (next < 0) {
                throw new EOFException("the server ended the stream after '" + line + "'");
            }
            line.append((char) next);
        }
        if (!(expected + "\r").contentEquals(line)) {
            throw new IllegalStateException(
                    "the server answered '%s' in place of '%s'"
                            .formatted(line.toString().strip(), expected));
        }
        answers++;
    }
}
