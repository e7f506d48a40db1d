package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Two of it, each on an address of its own; against Linux' it is tried in the laboratory.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PingpongCommandTest {
    private static final String SERVER = "127.83.7.1";
    private static final String CLIENT = "127.83.7.2";

    /// What the server and the client of one pingpong came to.
    private record Both(Command server, Command client) {}

    @ParameterizedTest
    @EnumSource
    void messagesGoBackAndForth(PingpongType type) throws Exception {
        Both both = pingpong(List.of("--type", type.name(), "-n", "100", "-c", "-s", "2000"));

        assertThat(both.client.status()).as(both.client.err()).isZero();
        assertThat(both.server.status()).as(both.server.err()).isZero();
        assertThat(both.client.out())
                .containsPattern("  local address:  LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x")
                .contains("GID ::ffff:" + CLIENT + "\n  remote address: LID 0x0000")
                .containsPattern("\n400000 bytes in \\d+\\.\\d\\d seconds = \\S+ Mbit/sec\n")
                .containsPattern("\n100 iters in \\d+\\.\\d\\d seconds = \\S+ usec/iter\n");
    }

    @ParameterizedTest
    @CsvSource({"rc, 10000", "uc, 10000", "srq, 10000"})
    void messagesOfConnectionsTakeSeveralPackets(String type, int bytes) throws Exception {
        Both both = pingpong(List.of("--type", type, "-n", "50", "-c", "-s", "" + bytes));

        assertThat(both.client.status()).as(both.client.err()).isZero();
        assertThat(both.server.status()).as(both.server.err()).isZero();
        assertThat(both.client.out()).contains("\n" + 2 * 50 * bytes + " bytes in ");
    }

    @Test
    void sharedReceivesServeAsManyQueuePairsAsWereAskedFor() throws Exception {
        Both both = pingpong(List.of("--type", "srq", "-n", "100", "-q", "5", "-r", "6"));

        assertThat(both.client.status()).as(both.client.err()).isZero();
        assertThat(both.server.status()).as(both.server.err()).isZero();
        assertThat(both.server.out().split("remote address", -1)).hasSize(1 + 5);
    }

    @Test
    void sidesWithOtherNumbersOfQueuePairsSaySo() throws Exception {
        Both both =
                pingpong(List.of("--type", "srq", "-q", "3"), List.of("--type", "srq", "-q", "4"));

        assertThat(both.server.status()).isEqualTo(1);
        assertThat(both.server.err())
                .contains("peer: it has 4 queue pairs, and this side 3; use the same -q");
        assertThat(both.client.status()).isEqualTo(1);
    }

    @Test
    @Tag("long")
    void aMessageOfAnotherLengthIsNoticed() throws Exception {
        Both both =
                pingpong(List.of("--type", "uc", "-s", "100"), List.of("--type", "uc", "-s", "99"));

        assertThat(both.server.err())
                .contains("unreliable connection")
                .contains("a message of 99 bytes, not 100; use the same -s on both sides");
    }

    @Test
    void aDatagramThatFitsNoPacketIsRefused() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.ofLiteral(SERVER))) {
            int port = listener.getLocalPort();
            Command client =
                    Command.run(
                            "pingpong",
                            "--bind",
                            CLIENT,
                            SERVER,
                            "-p",
                            port,
                            "--type",
                            "ud",
                            "-s",
                            "4097");

            assertThat(client.status()).isEqualTo(1);
            assertThat(client.err())
                    .contains("4097 bytes are more than a datagram's 4096; use a smaller -s");
        }
    }

    @Test
    void aPeerThatLeavesEarlyIsNotWaitedFor() throws Exception {
        int port = Ports.free(SERVER);
        CompletableFuture<Command> server =
                CompletableFuture.supplyAsync(() -> run(port, List.of("--type", "srq")));
        PingpongAddress one = new PingpongAddress(0, 1, 2, Gid.parse(CLIENT));
        try (Socket socket = Ports.connect(SERVER, port)) {
            socket.getOutputStream().write(one.toBytes()); // one of 256, as other programs do
        }

        Command ended = server.get(30, TimeUnit.SECONDS);
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err()).contains("it disconnected too early").contains("ibv_srq_pingpong");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--type xrc | expected one of [RC, UC, UD, SRQ]",
                "--type srq -q 0 | -q 0: SRQ has 1 to 256 queue pairs",
                "--type srq -q 257 | -q 257: SRQ has 1 to 256 queue pairs",
                "--type uc -q 2 | -q 2: UC has one queue pair",
                "--type srq -q 8 -r 7 | -r 7: at least one per queue pair",
                "-n 0 | -n 0: at least 1",
                "-s 2g | -s 2147483648: a message has 1073741824 bytes at most",
            })
    void whatIsAskedWronglyIsRefused(String words, String expected) {
        Command command = Command.run(Stream.of(("pingpong " + words).split(" ")).toArray());

        assertThat(command.status()).isEqualTo(2);
        assertThat(command.err()).contains(expected);
    }

    private static Both pingpong(List<String> both) throws Exception {
        return pingpong(both, both);
    }

    private static Both pingpong(List<String> ofServer, List<String> ofClient) throws Exception {
        int port = Ports.free(SERVER);
        CompletableFuture<Command> server =
                CompletableFuture.supplyAsync(() -> run(port, ofServer));
        Command client = null;
        for (int tries = 0; client == null || client.err().contains("refused"); tries++) {
            assertThat(tries).as("the server did not start").isLessThan(200);
            client =
                    Command.run(
                            Stream.concat(
                                            Stream.of("pingpong", "--bind", CLIENT, SERVER, "-p"),
                                            Stream.concat(Stream.of("" + port), ofClient.stream()))
                                    .toArray());
        }
        return new Both(server.get(40, TimeUnit.SECONDS), client);
    }

    private static Command run(int port, List<String> more) {
        return Command.run(
                Stream.concat(
                                Stream.of(
                                        "pingpong",
                                        "--bind",
                                        SERVER,
                                        "--wait",
                                        "20",
                                        "-p",
                                        "" + port),
                                more.stream())
                        .toArray());
    }
}
