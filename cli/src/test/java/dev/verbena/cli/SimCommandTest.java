package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("command")
class SimCommandTest {
    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"--fabric=roce --xoff=50K", "--fabric=ib --json"})
    void whatPassesAHostIsACaptureWithoutAFault(String fabric) {
        Path sender = directory.resolve("sender.pcapng");
        Path receiver = directory.resolve("receiver.pcap");
        Command run =
                Command.run(
                        "sim",
                        fabric.split(" ", -1)[0],
                        fabric.split(" ", -1)[1],
                        "--hosts",
                        "16",
                        "--pattern",
                        "incast",
                        "--senders",
                        "8",
                        "--size",
                        "200K",
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
        Files.writeString(file, "Nodes 9\n0->8 id 1 start 0 size 4096\n");

        Command tooSmall = Command.run("sim", "--hosts", "4", "--flows", file.toString());
        assertThat(tooSmall.status()).isEqualTo(2);
        assertThat(tooSmall.err()).contains("is for 9 hosts, and the fabric has 4; use --hosts 9");

        Command tooLarge = Command.run("sim", "--hosts", "100000", "--radix", "64");
        assertThat(tooLarge.status()).isEqualTo(2);
        assertThat(tooLarge.err())
                .contains("3 tiers of 64-port switches have room for 2 to 65,536");

        Command nobody = Command.run("sim", "--hosts", "4", "--pcap", "7=" + file);
        assertThat(nobody.status()).isEqualTo(2);
        assertThat(nobody.err()).contains("no host 7 to capture at: use 0 to 3");
    }

    @Test
    void aFabricThatWasWrittenIsReadAndRunsTheSame() {
        Path file = directory.resolve("tree.net");
        Object[] run = {"sim", "--size", "100K", "--json"};
        Object[] tree = with(run, "--hosts", "16", "--radix", "8");
        Command first = Command.run(with(tree, "--write-topology", file.toString()));
        Command second = Command.run(with(run, "--topology", file.toString()));

        assertThat(first.status()).as(first.err()).isZero();
        assertThat(withoutShape(second)).isEqualTo(withoutShape(first));
    }

    /// A file has no tiers, another name, and its cables in another order.
    private static String withoutShape(Command run) {
        return run.out()
                .replaceFirst("\"topology\":\"[^\"]*\",", "")
                .replaceFirst("\"tiers\":\\[[^]]*],", "");
    }

    @Test
    void countersAndTheirGrowthHaveTheNamesThatOperatorsKnow() throws IOException {
        Path file = directory.resolve("leaf.csv");
        Command run =
                Command.run(
                        "sim",
                        "--chain",
                        "2",
                        "--hosts",
                        "8",
                        "--pattern",
                        "incast",
                        "--senders",
                        "7",
                        "--size",
                        "500K",
                        "--xoff",
                        "50K",
                        "--dscp",
                        "26",
                        "--counters",
                        "switch 0",
                        "--series",
                        "switch 0=" + file,
                        "--every",
                        "5");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("chain: 8 hosts, 2 switches, 9 cables, 2 free ports");
        assertThat(run.out()).contains(" switch 0 port 0 to host 0:\n");
        // 7 messages of 125 packets, each a bit longer than the payload.
        assertThat(run.out()).contains("   tx_prio3_packets             875\n");
        assertThat(run.out()).contains("tx_prio3_pause");
        assertThat(Files.readString(file))
                .startsWith("time_us,node,port,counter,value\n5.000,switch 0,0,")
                .contains(",switch 0,5,tx_prio3_pause,")
                .contains(",switch 0,0,tx_prio3_packets,875\n");
    }

    @Test
    void aRunThatWaitsForATimeoutEndsAtItsLimit() {
        Command run =
                Command.run(
                        "sim",
                        "--tiers",
                        "1",
                        "--hosts",
                        "4",
                        "--pattern",
                        "incast",
                        "--senders",
                        "3",
                        "--buffer",
                        "200K",
                        "--lossy",
                        "--limit",
                        "1000");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).contains("flows are not over after").contains("--limit");
    }

    @Test
    void whatANicTakesIsAdded() {
        // Both hosts at once, so that no acknowledgement waits for a packet.
        Object[] one = {"sim", "--hosts", "2", "--tiers", "1", "--size", "4K", "--json"};
        one = with(one, "--jitter", "0");
        Command ideal = Command.run(one);
        // For the post, for the packet, and for its acknowledgement.
        Command slow = Command.run(with(one, "--nic-latency", "200"));
        assertThat(us(slow) - us(ideal)).isCloseTo(0.6, within(0.001));
        Command adapter = Command.run(with(one, "--nic", "adapter"));
        assertThat(us(adapter) - us(ideal)).isCloseTo(0.9, within(0.001));
    }

    private static double us(Command run) {
        assertThat(run.status()).as(run.err()).isZero();
        Matcher time = Pattern.compile("\"t_max\":([0-9.]+)").matcher(run.out());
        assertThat(time.find()).isTrue();
        return Double.parseDouble(time.group(1));
    }

    private static Object[] with(Object[] words, Object... more) {
        return Stream.concat(Stream.of(words), Stream.of(more)).toArray();
    }
}
