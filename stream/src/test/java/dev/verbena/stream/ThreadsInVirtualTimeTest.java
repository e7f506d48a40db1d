package dev.verbena.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.testkit.junit.RdmaThreads;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Device;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;

/// Streams that wait, with a thread for each direction, in virtual time: over a network that loses
/// packets, and over simulated fabrics.
class ThreadsInVirtualTimeTest {
    private static final int PORT = 7471;
    private static final int BYTES = 40_000;
    private static final StreamSettings SETTINGS =
            StreamSettings.DEFAULT.withSendBytes(8192).withReceiveBytes(4096).withCredits(16);

    @RdmaTest(loss = 0.01, reorder = 0.02, seeds = 10)
    void echoOverANetworkThatLoses(Device left, Device right, RdmaThreads threads)
            throws IOException {
        echo(left, right, threads);
    }

    @RdmaTest(fabric = "kind=roce")
    void echoOverSimulatedEthernet(Device left, Device right, RdmaThreads threads)
            throws IOException {
        echo(left, right, threads);
    }

    @RdmaTest(fabric = "kind=ib")
    void echoOverSimulatedInfiniBand(Device left, Device right, RdmaThreads threads)
            throws IOException {
        echo(left, right, threads);
    }

    private static void echo(Device left, Device right, RdmaThreads threads) throws IOException {
        StreamServer server = StreamServer.listen(right, PORT, 4, SETTINGS);
        threads.start("server", () -> serve(server));
        Address there = address(right);
        byte[] sent = new byte[BYTES];
        new Random(7).nextBytes(sent);
        StreamSocket socket =
                StreamSocket.connect(left, there, PORT, SETTINGS, Duration.ofSeconds(30));
        threads.start("writer", () -> write(socket, sent));
        byte[] read = socket.input().readAllBytes();
        assertThat(read).isEqualTo(sent);
        socket.close();
    }

    private static Address address(Device of) {
        return new Address(
                of.port(1).lid(), of.gids(1).getFirst(), 0, 0, 0, 64, 0, Address.ROCE_PORT);
    }

    private static void serve(StreamServer server) throws IOException {
        StreamSocket socket =
                Objects.requireNonNull(server.accept(Duration.ofSeconds(30)), "no peer came");
        socket.input().transferTo(socket.output());
        socket.close();
        server.close();
    }

    private static void write(StreamSocket socket, byte[] bytes) throws IOException {
        OutputStream out = socket.output();
        for (int at = 0; at < bytes.length; at += 777) {
            out.write(bytes, at, Math.min(777, bytes.length - at));
        }
        socket.shutdownOutput();
    }
}
