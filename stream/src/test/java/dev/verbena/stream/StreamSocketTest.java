package dev.verbena.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/// Streams that wait, over sockets on this machine.
@Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class StreamSocketTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final String address = "127.26.%d.1".formatted(ProcessHandle.current().pid() % 250 + 1);
    private final Device device = Devices.open("roce://" + address);
    private final StreamServer server = StreamServer.listen(device, 0);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final InetSocketAddress there = new InetSocketAddress(address, server.port());

    @AfterEach
    void close() {
        threads.shutdownNow();
        server.close();
        device.close();
    }

    private StreamSocket accept() throws IOException {
        return Objects.requireNonNull(server.accept(LIMIT), "no peer came");
    }

    private Future<?> echo() {
        return threads.submit(
                () -> {
                    try (StreamSocket socket = accept()) {
                        socket.input().transferTo(socket.output());
                    }
                    return true;
                });
    }

    @Test
    void echoesMuchMoreThanTheRingsHold() throws Exception {
        byte[] sent = new byte[3_000_000];
        new Random(7).nextBytes(sent);
        Future<?> echo = echo();
        try (StreamSocket socket = StreamSocket.connect(device, there)) {
            Future<?> writer =
                    threads.submit(
                            () -> {
                                OutputStream out = socket.output();
                                for (int at = 0; at < sent.length; at += 7919) {
                                    out.write(sent, at, Math.min(7919, sent.length - at));
                                }
                                socket.shutdownOutput();
                                return true;
                            });
            InputStream in = socket.input();
            byte[] read = in.readAllBytes();
            writer.get();
            assertThat(Arrays.equals(read, sent)).isTrue();
        }
        echo.get();
    }

    @Test
    void answersAfterTheEndOfTheQuestion() throws Exception {
        Future<?> answering =
                threads.submit(
                        () -> {
                            try (StreamSocket socket = accept()) {
                                byte[] question = socket.input().readAllBytes();
                                socket.output().write(question.length);
                            }
                            return true;
                        });
        try (StreamSocket socket = StreamSocket.connect(device, there)) {
            socket.output().write("how many?".getBytes(StandardCharsets.UTF_8));
            socket.shutdownOutput();
            assertThat(socket.input().read()).isEqualTo(9);
            assertThat(socket.input().read()).isEqualTo(-1);
        }
        answering.get();
    }

    /// A connection comes to be when the server accepts it, so another thread does.
    private Future<StreamSocket> accepting() {
        return threads.submit(this::accept);
    }

    @Test
    void aReadWaitsNoLongerThanItsTimeout() throws Exception {
        Future<StreamSocket> accepting = accepting();
        try (StreamSocket socket = StreamSocket.connect(device, there);
                StreamSocket silent = accepting.get()) {
            socket.readTimeout(Duration.ofMillis(20));
            assertThatThrownBy(() -> socket.read(ByteBuffer.allocate(1)))
                    .isInstanceOf(SocketTimeoutException.class);
            silent.output().write(5);
            socket.readTimeout(LIMIT);
            assertThat(socket.input().read()).isEqualTo(5);
        }
    }

    @Test
    void aCloseEndsTheReadOfAnotherThread() throws Exception {
        Future<StreamSocket> accepting = accepting();
        StreamSocket socket = StreamSocket.connect(device, there);
        try (StreamSocket silent = accepting.get()) {
            Future<?> reader =
                    threads.submit(
                            () -> {
                                socket.output().write(1);
                                assertThatThrownBy(() -> socket.read(ByteBuffer.allocate(1)))
                                        .isInstanceOfAny(
                                                AsynchronousCloseException.class,
                                                ClosedChannelException.class);
                                return true;
                            });
            assertThat(silent.input().read()).isEqualTo(1);
            socket.close();
            reader.get();
            assertThat(silent.input().read()).isEqualTo(-1);
        }
    }

    @Test
    void namesTheReasonWhenNothingListens() {
        server.close();
        assertThatThrownBy(() -> StreamSocket.connect(device, there))
                .isInstanceOf(ConnectionFailedException.class);
    }

    /// A server's loop must not end by what a peer asks for, or by a peer that waits no longer.
    @Test
    void aServerGoesOnAfterPeersThatItCannotAccept() throws Exception {
        Future<StreamSocket> accepting = accepting();
        try (ProtectionDomain domain = device.protectionDomain();
                CompletionQueue completions = device.completionQueue(16);
                MemoryRegion memory = domain.allocate(4096)) {
            byte[] hello =
                    new Hello(false, 16, memory.remote().slice(0, Targets.BYTES), memory.remote())
                            .toBytes();
            QueuePair unreliable =
                    domain.queuePair(QueuePairType.UC, options -> options.completions(completions));
            Connection connection =
                    device.connect(unreliable, Address.to(Gid.of(there)), there.getPort(), hello);
            assertThatThrownBy(() -> connection.await(LIMIT))
                    .isInstanceOf(ConnectionFailedException.class);
            unreliable.close();
        }
        try (StreamSocket socket = StreamSocket.connect(device, there);
                StreamSocket peer = accepting.get()) {
            peer.output().write(7);
            assertThat(socket.input().read()).isEqualTo(7);
        }
    }
}
