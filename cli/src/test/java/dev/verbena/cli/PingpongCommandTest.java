package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two of it, each on an address of its own; against Linux' it is tried in the laboratory.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PingpongCommandTest {
    private static final String SERVER = "127.83.7.1";
    private static final String CLIENT = "127.83.7.2";

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral(SERVER))) {
            return socket.getLocalPort();
        }
    }

    @Test
    void messagesGoBackAndForth() throws Exception {
        int port = freePort();
        CompletableFuture<Command> server =
                CompletableFuture.supplyAsync(
                        () ->
                                Command.run(
                                        "pingpong",
                                        "--bind",
                                        SERVER,
                                        "--wait",
                                        "20",
                                        "-p",
                                        port,
                                        "-n",
                                        "100",
                                        "-c",
                                        "-s",
                                        "10000"));
        Command client = null;
        for (int tries = 0; client == null || client.err().contains("refused"); tries++) {
            assertThat(tries).as("the server does not come up").isLessThan(200);
            client =
                    Command.run(
                            "pingpong",
                            "--bind",
                            CLIENT,
                            SERVER,
                            "-p",
                            port,
                            "-n",
                            "100",
                            "-c",
                            "-s",
                            "10000");
        }

        assertThat(client.status()).as(client.err()).isZero();
        assertThat(server.get(30, TimeUnit.SECONDS).status()).isZero();
        assertThat(client.out())
                .containsPattern("  local address:  LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x")
                .contains("GID ::ffff:" + CLIENT + "\n  remote address: LID 0x0000")
                .containsPattern("\n2000000 bytes in \\d+\\.\\d\\d seconds = \\S+ Mbit/sec\n")
                .containsPattern("\n100 iters in \\d+\\.\\d\\d seconds = \\S+ usec/iter\n");
    }
}
