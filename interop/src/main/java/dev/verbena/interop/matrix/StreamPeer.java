package dev.verbena.interop.matrix;

import dev.verbena.stream.StreamServer;
import dev.verbena.stream.StreamSettings;
import dev.verbena.stream.StreamSocket;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;

/// The other side of C programs that use rsocket: of librdmacm's `rstream`, and of TCP programs
/// under `librspreload`.
///
/// ```
/// StreamPeer server DEVICE PORT                         echoes one stream until its end
/// StreamPeer client DEVICE ADDRESS PORT BYTES           sends, reads the echo, and compares
/// StreamPeer rstream-server DEVICE BYTES COUNT ROUNDS   as rstream -S BYTES -C COUNT -I ROUNDS
/// StreamPeer rstream-client DEVICE ADDRESS BYTES COUNT ROUNDS
/// ```
///
/// The bytes are those of `rstream -T v`: each is one more than the byte before it.
public final class StreamPeer {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int RSTREAM_PORT = 7471;
    private static final int SYNC_BYTES = 16;
    private static final int CHUNK = 20_000;

    private final StreamSocket socket;
    private byte nextSent;
    private byte nextRead;
    private long total;

    private StreamPeer(StreamSocket socket) {
        this.socket = socket;
        socket.readTimeout(LIMIT);
    }

    /// Ends with 1 when something is not as it should be.
    public static void main(String... words) throws IOException {
        try (Device device = Devices.open(words[1]);
                StreamSocket socket = open(words, device)) {
            StreamPeer peer = new StreamPeer(socket);
            switch (words[0]) {
                case "server" -> peer.echo();
                case "client" -> peer.ask(Integer.parseInt(words[4]));
                case "rstream-server" -> peer.rstream(false, words, 2);
                case "rstream-client" -> peer.rstream(true, words, 3);
                default -> throw new IllegalArgumentException("no such role: " + words[0]);
            }
            System.out.println("echoed " + peer.total + " bytes");
        }
    }

    private static StreamSocket open(String[] words, Device device) throws IOException {
        boolean isRstream = words[0].startsWith("rstream");
        if (words[0].endsWith("client")) {
            int port = isRstream ? RSTREAM_PORT : Integer.parseInt(words[3]);
            InetSocketAddress there = new InetSocketAddress(words[2], port);
            return StreamSocket.connect(device, there, StreamSettings.DEFAULT, LIMIT);
        }
        int port = isRstream ? RSTREAM_PORT : Integer.parseInt(words[2]);
        try (StreamServer server = StreamServer.listen(device, port)) {
            StreamSocket socket = server.accept(LIMIT);
            if (socket == null) {
                throw new IllegalStateException("no client came");
            }
            return socket;
        }
    }

    private void echo() throws IOException {
        byte[] bytes = new byte[CHUNK];
        int count;
        OutputStream out = socket.output();
        while ((count = socket.input().read(bytes)) >= 0) {
            out.write(bytes, 0, count);
            total += count;
        }
    }

    private void ask(int bytes) throws IOException {
        while (total < bytes) {
            int count = (int) Math.min(CHUNK, bytes - total);
            send(count);
            receive(count);
            total += count;
        }
        socket.shutdownOutput();
        if (socket.input().read() >= 0) {
            throw new IllegalStateException("more bytes than were sent");
        }
    }

    private void rstream(boolean isFirst, String[] words, int from) throws IOException {
        int bytes = Integer.parseInt(words[from]);
        int count = Integer.parseInt(words[from + 1]);
        int rounds = Integer.parseInt(words[from + 2]);
        turn(isFirst, SYNC_BYTES, 1);
        for (int round = 0; round < rounds; round++) {
            turn(isFirst, bytes, count);
            total += (long) bytes * count;
        }
    }

    private void turn(boolean isFirst, int bytes, int count) throws IOException {
        for (int i = 0; i < 2 * count; i++) {
            if (i < count == isFirst) {
                send(bytes);
            } else {
                receive(bytes);
            }
        }
    }

    private void send(int count) throws IOException {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = nextSent++;
        }
        socket.output().write(bytes);
    }

    private void receive(int count) throws IOException {
        byte[] bytes = socket.input().readNBytes(count);
        if (bytes.length < count) {
            throw new IllegalStateException("the stream ended early");
        }
        for (byte value : bytes) {
            if (value != nextRead++) {
                throw new IllegalStateException("a wrong byte after " + total);
            }
        }
    }
}
