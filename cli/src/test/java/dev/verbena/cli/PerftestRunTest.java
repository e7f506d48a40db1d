package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Two of it, each taking the other for perftest; with perftest itself it is tried in the
/// laboratory.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PerftestRunTest {
    private static final String SERVER = "127.84.7.1";
    private static final String CLIENT = "127.84.7.2";
    private static final byte[] VERSION =
            Arrays.copyOf("6.06".getBytes(StandardCharsets.US_ASCII), 16);

    /// What the server and the client of one test came to.
    private record Both(Command server, Command client) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "write bw -s 5000",
                "write bw -s 8 -m 1024",
                "read bw -s 64K -t 8",
                "atomic bw"
            })
    void bandwidthIsMeasuredByTheClientAndShownByBoth(String words) throws Exception {
        Both both = run(words + " -n 200 --warm_up_ms 20", words + " --report_gbits");

        assertThat(both.client.status()).as(both.client.err()).isZero();
        assertThat(both.server.status()).as(both.server.err()).isZero();
        assertThat(both.client.out()).containsPattern("\n \\d+ +200 +\\d+\\.\\d\\d +\\d+\\.\\d\\d");
        assertThat(both.server.out())
                .contains("Waiting for client to connect")
                .contains("BW average[Gb/sec]")
                .containsPattern("\n \\d+ +200 +\\d+\\.\\d+ +\\d+\\.\\d+");
        assertThat(both.client.out().contains(" Mtu             : 1024[B]"))
                .isEqualTo(words.contains("-m"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"send lat -s 64", "send lat --progress thread", "atomic lat", "read lat"})
    void latencyIsMeasuredByTheClient(String words) throws Exception {
        Both both = run(words + " -n 300 --warm_up_ms 20", words + " -n 300");

        assertThat(both.client.status()).as(both.client.err()).isZero();
        assertThat(both.server.status()).as(both.server.err()).isZero();
        assertThat(both.client.out())
                .containsPattern("\n \\d+ +300(\\s+\\d+\\.\\d\\d){7}\\s*\n( Not warm yet: .*\n)?-");
    }

    @ParameterizedTest
    @ValueSource(strings = {"send bw -s 5000", "send bw -r 16 --progress thread"})
    void bandwidthOfSendIsShownByTheClientAlone(String words) throws Exception {
        Both both = run(words + " -n 200", words + " -n 200");

        assertThat(both.client.status()).as(both.client.err()).isZero();
        assertThat(both.server.status()).as(both.server.err()).isZero();
        assertThat(both.client.out()).containsPattern("\n \\d+ +200 +\\d+\\.\\d\\d +\\d+\\.\\d\\d");
        assertThat(both.server.out()).doesNotContainPattern("\n \\d+ +200 ");
    }

    @Test
    void withoutTheFlagPerftestIsRecognised() throws Exception {
        int port = Ports.free(SERVER);
        CompletableFuture<Command> server =
                CompletableFuture.supplyAsync(
                        () -> Command.run("perf", "write", "bw", "--bind", SERVER, "-p", port));
        try (Socket socket = Ports.connect(SERVER, port)) {
            socket.getOutputStream().write(VERSION);
            Command ended = server.get(20, TimeUnit.SECONDS);

            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.err()).contains("it uses perftest's protocol; use --perftest here");
        }
    }

    @Test
    void theSmallerMtuCounts() throws Exception {
        Both both = run("read bw -n 10 --warm_up_ms 0", "read bw -m 512");

        assertThat(both.client.status()).as(both.client.err()).isZero();
        assertThat(both.client.out()).contains(" Mtu             : 512[B]");
        assertThat(both.server.out()).contains(" Mtu             : 512[B]");
    }

    @Test
    void aClientThatSendsLessThanTheServerWantsIsNoticed() throws Exception {
        Both both = run("send lat -n 100", "send lat -n 101");

        assertThat(both.server.status()).isEqualTo(1);
        assertThat(both.server.err())
                .contains("it stopped after 100 messages")
                .contains("use the same -n and -s on both sides");
        assertThat(both.client.status()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "write lat | write lat: with --perftest it is not supported; use one of write bw,"
                        + " read bw",
                "write bw -a | -a: with --perftest it is not supported; run it once for each -s",
                "write bw -b | -b: with --perftest it is not supported",
                "write bw -D 3 | -D: with --perftest it is not supported; count messages with -n",
                "write bw --rotate 1M | --rotate: with --perftest it is not supported",
                "write bw -q 2 | -q 2: with --perftest it is not supported; use one queue pair",
                "write bw -c UC | -c UC: with --perftest it is not supported; use -c RC",
                "write bw ::1 | 0:1: with --perftest it cannot be reached",
                "write bw --bind ::1 | perftest exchanges addresses over IPv4 only",
                "write bw --loopback | --loopback: it starts verbena as the other side",
            })
    void whatIsNotThereIsRefused(String words, String expected) {
        Command command =
                Command.run(Stream.of(("perf --perftest --wait 1 " + words).split(" ")).toArray());

        assertThat(command.status()).isEqualTo(2);
        assertThat(command.err()).startsWith("verbena perf: ").contains(expected);
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        Command command = Command.run("perf", "read", "bw", "127.84.7.9", "-p", "1", "--perftest");

        assertThat(command.err()).contains("cannot connect").contains("start ib_read_bw there");
    }

    @Test
    void anotherProgramIsNoticed() throws Exception {
        Command ended = serve("verbena-perf 1 v".getBytes(StandardCharsets.US_ASCII));

        assertThat(ended.err())
                .contains("'verbena-perf 1 v' is not a version of perftest; start ib_write_bw");
    }

    @Test
    void aPageOfAnyLengthIsNotBelieved() throws Exception {
        Command ended = serve(VERSION, new byte[] {0x7F, 0, 0, 0});

        assertThat(ended.err()).contains("a page of 2130706432 bytes, not 1 to 1048576");
    }

    @Test
    void aClientThatLeavesIsNotWaitedFor() throws Exception {
        Command ended = serve(VERSION, new byte[] {0, 0, 16, 0}, new byte[] {0, 0, 0, 64});

        assertThat(ended.err()).contains("it closed the connection; check its output");
    }

    @Test
    void anAddressThatIsNoneIsRefused() throws Exception {
        Command ended =
                serve(
                        VERSION,
                        new byte[] {0, 0, 16, 0},
                        new byte[] {0, 0, 0, 64},
                        new byte[] {'9', 0},
                        new byte[PerftestRecord.LENGTH]);

        assertThat(ended.err()).contains("are not an address of ib_write_bw");
    }

    /// What becomes of a server whose client says this, hears an answer after each but the last,
    /// and leaves.
    private static Command serve(byte[]... said) throws Exception {
        int port = Ports.free(SERVER);
        CompletableFuture<Command> server =
                CompletableFuture.supplyAsync(() -> server(port, "write bw"));
        try (Socket socket = Ports.connect(SERVER, port)) {
            OutputStream out = socket.getOutputStream();
            InputStream in = socket.getInputStream();
            for (int i = 0; i < said.length; i++) {
                out.write(said[i]);
                if (i < said.length - 1) {
                    assertThat(in.readNBytes(said[i].length)).hasSize(said[i].length);
                }
            }
        }
        Command ended = server.get(20, TimeUnit.SECONDS);
        assertThat(ended.status()).isEqualTo(1);
        return ended;
    }

    private static Both run(String ofClient, String ofServer) throws Exception {
        int port = Ports.free(SERVER);
        CompletableFuture<Command> server =
                CompletableFuture.supplyAsync(() -> server(port, ofServer));
        Command client = null;
        String words = "perf " + ofClient + " --perftest --bind " + CLIENT + " -p " + port;
        for (int tries = 0; client == null || client.err().contains("refused"); tries++) {
            assertThat(tries).as("the server did not start").isLessThan(200);
            client = Command.run(Stream.of((words + " " + SERVER).split(" ")).toArray());
        }
        return new Both(server.get(40, TimeUnit.SECONDS), client);
    }

    private static Command server(int port, String more) {
        String words = "perf " + more + " --perftest --wait 20 --bind " + SERVER + " -p " + port;
        return Command.run(Stream.of(words.split(" ")).toArray());
    }
}
