package dev.verbena.stream;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;

/// A connected stream whose calls wait, like a TCP socket. One thread may read while another writes
/// and a third one closes.
///
/// ```
/// InetSocketAddress server = new InetSocketAddress("192.0.2.1", 7471);
/// try (StreamSocket socket = StreamSocket.connect(device, server)) {
///     socket.output().write(question);
///     socket.shutdownOutput();
///     byte[] answer = socket.input().readAllBytes();
/// }
/// ```
public final class StreamSocket implements ByteChannel {
    private static final Duration CONNECT_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration CLOSE_GRACE = Duration.ofSeconds(1);

    private final StreamGroup group;
    private final ByteStream stream;
    private final Turnstile turnstile;
    private volatile Duration readTimeout = Duration.ZERO;
    private volatile boolean closed;

    private StreamSocket(StreamGroup group, ByteStream stream) {
        this.group = group;
        this.stream = stream;
        turnstile = new Turnstile(group, stream);
    }

    /// Connects with the usual settings, within a minute.
    public static StreamSocket connect(Device device, InetSocketAddress to) throws IOException {
        return connect(device, to, StreamSettings.DEFAULT, CONNECT_TIMEOUT);
    }

    /// Connects to a [StreamServer], or to a C program that listens with rsocket.
    ///
    /// @throws dev.verbena.verbs.ConnectionFailedException when the peer refuses, with the reason
    /// @throws java.net.SocketTimeoutException when the timeout passes first
    public static StreamSocket connect(
            Device device, InetSocketAddress to, StreamSettings settings, Duration timeout)
            throws IOException {
        return connect(device, Address.to(Gid.of(to)), to.getPort(), settings, timeout);
    }

    /// The same for a peer that is found by more than its IP address, as on InfiniBand.
    public static StreamSocket connect(
            Device device, Address to, int port, StreamSettings settings, Duration timeout)
            throws IOException {
        StreamGroup group = new StreamGroup(device, settings, 1);
        boolean isConnected = false;
        try {
            StreamSocket socket = new StreamSocket(group, group.connect(to, port));
            socket.turnstile.pass(
                    timeout, () -> socket.stream.isConnected() ? 0 : socket.refused());
            isConnected = true;
            return socket;
        } catch (VerbsException problem) {
            throw new IOException("cannot connect to " + to + ": " + problem.getMessage(), problem);
        } finally {
            if (!isConnected) {
                group.close();
            }
        }
    }

    /// Accepts what a listener of the device received; returns before the connection is
    /// established, which the first read or write waits for.
    static StreamSocket accept(Device device, ConnectionRequest request, StreamSettings settings)
            throws IOException {
        StreamGroup group = new StreamGroup(device, settings, 1);
        boolean isAccepted = false;
        try {
            StreamSocket socket = new StreamSocket(group, group.accept(request));
            isAccepted = true;
            return socket;
        } finally {
            if (!isAccepted) {
                group.close();
            }
        }
    }

    private int refused() throws IOException {
        IOException failure = stream.failure();
        if (failure != null) {
            throw failure;
        }
        return Turnstile.WAIT;
    }

    public InetSocketAddress remoteAddress() {
        return stream.remoteAddress();
    }

    /// How long a read waits for bytes; zero, the default, is for ever.
    public void readTimeout(Duration timeout) {
        readTimeout = timeout;
    }

    /// Waits for bytes and moves those that arrived into the buffer; returns -1 at the end.
    ///
    /// @throws java.net.SocketTimeoutException after [#readTimeout(Duration)]
    /// @throws java.io.InterruptedIOException when the thread was interrupted; it stays interrupted
    @Override
    public int read(ByteBuffer into) throws IOException {
        return turnstile.pass(
                readTimeout,
                () -> {
                    requireOpen();
                    int count = stream.read(into);
                    return count == 0 && into.hasRemaining() ? Turnstile.WAIT : count;
                });
    }

    /// Writes all bytes of the buffer, and waits for room as often as it must. Bytes that were
    /// written may not have reached the peer.
    @Override
    public int write(ByteBuffer from) throws IOException {
        int count = from.remaining();
        while (from.hasRemaining()) {
            turnstile.pass(
                    Duration.ZERO,
                    () -> {
                        requireOpen();
                        if (!stream.isConnected()) {
                            return refused();
                        }
                        int written = stream.write(from);
                        return written == 0 && from.hasRemaining() ? Turnstile.WAIT : written;
                    });
        }
        return count;
    }

    /// Ends the output: the peer reads the end after all that was written. Reading goes on.
    public void shutdownOutput() throws IOException {
        turnstile.pass(
                Duration.ZERO,
                () -> {
                    requireOpen();
                    if (!stream.isConnected()) {
                        return refused();
                    }
                    stream.endOutput();
                    return 0;
                });
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    /// The bytes of the peer; closing it closes the socket.
    public InputStream input() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                return StreamSocket.this.read(ByteBuffer.wrap(into, offset, length));
            }

            @Override
            public void close() throws IOException {
                StreamSocket.this.close();
            }
        };
    }

    /// Bytes for the peer; closing it closes the socket. What is written is on its way at once.
    public OutputStream output() {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                StreamSocket.this.write(ByteBuffer.wrap(from, offset, length));
            }

            @Override
            public void close() throws IOException {
                StreamSocket.this.close();
            }
        };
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    /// Delivers what was written, as long as [StreamSettings#linger] allows, and ends the
    /// connection. Calls of other threads that wait end with an exception.
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            turnstile.pass(
                    group.settings().linger().plus(CLOSE_GRACE),
                    () -> {
                        stream.close();
                        return stream.isReleased() ? 0 : Turnstile.WAIT;
                    });
        } catch (InterruptedIOException unfinished) {
            // The end of the group ends the stream as it is.
        } finally {
            turnstile.close();
        }
    }

    @Override
    public String toString() {
        return stream.toString();
    }
}
