package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimCommandTest {
    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void whatPassesAHostIsACaptureWithoutAFault(String fabric) {
        Path sender = directory.resolve("sender.pcapng");
        Path receiver = directory.resolve("receiver.pcap");
        Command run =
                Command.run(
                        "sim",
                        "--fabric",
                        fabric,
                        "--hosts",
                        "16",
                        "--pattern",
                        "incast",
                        "--senders",
                        "8",
                        "--size",
                        "200K",
                        "--xoff",
                        "50K",
                        "--pcap",
                        "0=" + receiver,
                        "--pcap",
                        "15=" + sender);
        assertThat(run.status()).as(run.err()).isZero();

        // 8 messages of 50 packets, and an acknowledgement of each.
        Command decoded = Command.run("decode", "--strict", receiver.toString());
        assertThat(decoded.status()).as(decoded.err()).isZero();
        assertThat(decoded.out().lines().filter(line -> line.contains("WRITE")).count())
                .isEqualTo(400);
        decoded = Command.run("decode", "--strict", sender.toString());
        assertThat(decoded.status()).as(decoded.err()).isZero();
        assertThat(decoded.out().lines().filter(line -> line.contains("WRITE")).count())
                .isEqualTo(50);
    }

    @Test
    void flowsOfAFileStartWhenTheOnesThatTheyWaitForAreOver() throws IOException {
        Path file = directory.resolve("two.cm");
        Files.writeString(
                file,
                """
                Nodes 4
                Connections 2
                0->1 id 1 start 0 size 400000 send_done_trigger 7
                1->2 id 2 trigger 7 size 400000
                trigger id 7 oneshot
                """);
        Command both =
                Command.run("sim", "--hosts", "4", "--tiers", "1", "--flows", file.toString());
        assertThat(both.status()).as(both.err()).isZero();
        assertThat(both.out()).contains("two.cm: 2 flows");
    }

    @Test
    void whatCannotBeSimulatedIsSaidWithWhatToDo() throws IOException {
        Path file = directory.resolve("wrong.cm");
        Files.writeString(file, "Nodes 4\n0->9 id 1 start 0 size 4096\n");

        Command tooSmall = Command.run("sim", "--hosts", "4", "--flows", file.toString());
        assertThat(tooSmall.status()).isEqualTo(2);
        assertThat(tooSmall.err()).contains("has a flow of host 9; use --hosts 4");

        Command tooLarge = Command.run("sim", "--hosts", "100000", "--radix", "64");
        assertThat(tooLarge.status()).isEqualTo(2);
        assertThat(tooLarge.err()).contains("2 tiers of 64-port switches have room for 2 to 2,048");

        Command nobody = Command.run("sim", "--hosts", "4", "--pcap", "7=" + file);
        assertThat(nobody.status()).isEqualTo(2);
        assertThat(nobody.err()).contains("no host 7 to capture at: use 0 to 3");
    }
}
