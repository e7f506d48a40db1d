package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.verbs.QueuePairType;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

@Tag("command")
class PerfCommandTest {
    private static PerfFlags flags(String... words) {
        PerfFlags flags = new PerfFlags();
        new CommandLine(
                        CommandLine.Model.CommandSpec.create()
                                .addMixin(
                                        "flags",
                                        CommandLine.Model.CommandSpec.forAnnotatedObject(flags)))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(words);
        return flags;
    }

    private static PerfOptions write(String... words) {
        return flags(words).resolve(PerfVerb.WRITE, PerfKind.BW, true);
    }

    @Test
    void defaultsArePerftests() {
        PerfOptions bandwidth = write();
        assertThat(bandwidth.amount().bytesMax()).isEqualTo(65536);
        assertThat(bandwidth.amount().iterations()).isEqualTo(5000);
        assertThat(bandwidth.posting().txDepth()).isEqualTo(128);
        assertThat(bandwidth.posting().cqModeration()).isEqualTo(1);
        assertThat(bandwidth.pairs().timeout()).isEqualTo(17);
        assertThat(bandwidth.pairs().retryCount()).isEqualTo(7);
        assertThat(bandwidth.posting().inlineBytes()).isZero();

        PerfOptions latency = flags().resolve(PerfVerb.SEND, PerfKind.LAT, true);
        assertThat(latency.amount().bytesMax()).isEqualTo(2);
        assertThat(latency.amount().iterations()).isEqualTo(1000);
        assertThat(latency.posting().txDepth()).isEqualTo(1);
        assertThat(latency.posting().rxDepth()).isEqualTo(512);
    }

    @Test
    void shortMessagesAreCompletedByTheHundred() {
        assertThat(write("-s", "8").posting().cqModeration()).isEqualTo(100);
        assertThat(write("-s", "8", "-t", "50").posting().cqModeration()).isEqualTo(50);
        assertThat(write("-s", "8", "-Q", "7").posting().cqModeration()).isEqualTo(7);
    }

    @Test
    void sizesHaveBinarySuffixes() {
        assertThat(write("-s", "1M").amount().bytesMax()).isEqualTo(1 << 20);
        assertThat(write("--size=64k", "--rotate", "64M").amount().rotateBytes())
                .isEqualTo(64 << 20);
        assertThat(flags("-a").sizes(PerfVerb.WRITE, PerfKind.BW))
                .startsWith(2, 4, 8)
                .endsWith(1 << 22, 1 << 23)
                .hasSize(23);
        assertThat(flags("-a").sizes(PerfVerb.ATOMIC, PerfKind.BW)).containsExactly(8);
    }

    @Test
    void optionsSurviveTheWayToTheServer() {
        PerfOptions sent = write("-q", "3", "-b", "-c", "UC", "-D", "5", "-l", "4", "-m", "1024");

        assertThat(PerfOptions.parse(sent.toText(), true)).isEqualTo(sent);
        assertThat(sent.pairs().type()).isEqualTo(QueuePairType.UC);
        assertThat(sent.measure().isBidirectional()).isTrue();
    }

    @Test
    void anOlderPeerIsToldToUseTheSameVersion() {
        assertThatExceptionOfType(PerfException.class)
                .isThrownBy(() -> PerfOptions.parse("verb=WRITE kind=BW", true))
                .withMessageContaining("no atomic")
                .withMessageContaining("same version");
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatExceptionOfType(PerfException.class)
                .isThrownBy(() -> flags("-c", "UD").resolve(PerfVerb.WRITE, PerfKind.BW, true))
                .withMessageContaining("use send");
        assertThatExceptionOfType(PerfException.class)
                .isThrownBy(() -> flags("-c", "UC").resolve(PerfVerb.READ, PerfKind.BW, true))
                .withMessageContaining("use -c RC");
        assertThatExceptionOfType(PerfException.class)
                .isThrownBy(() -> flags("-b").resolve(PerfVerb.WRITE, PerfKind.LAT, true));
        assertThatExceptionOfType(PerfException.class)
                .isThrownBy(() -> write("-q", "0"))
                .withMessage("-q 0: out of range; use 1 to 65536");
    }

    @Test
    void aWrongWordIsExplained() {
        Command command = Command.run("perf", "wrote", "bw");
        assertThat(command.status()).isEqualTo(2);
        assertThat(command.err()).contains("wrote");

        command = Command.run("perf", "write", "bw", "-s", "1Q");
        assertThat(command.status()).isEqualTo(2);
        assertThat(command.err()).contains("'1Q' is not a number of bytes: write it as 65536, 64K");
    }

    @Test
    void nobodyAtTheOtherEndIsSaid() {
        Command command = Command.run("perf", "write", "bw", "127.3.2.1", "-p", "1");

        assertThat(command.status()).isEqualTo(1);
        assertThat(command.err())
                .startsWith("verbena perf: 127.3.2.1 port 1: cannot connect")
                .contains("start the same command there without a host");
    }

    @Test
    void theDeviceIsTheAddressOfTheConnectionUnlessNamed() {
        InetAddress local = InetAddress.ofLiteral("127.8.9.10");

        assertThat(device().uri(local)).isEqualTo("roce://127.8.9.10?progress=caller");
        assertThat(device("--rcvbuf", "4M", "--gso=off", "--progress", "thread").uri(local))
                .isEqualTo("roce://127.8.9.10?progress=thread&rcvbuf=4194304&gso=off");
        assertThat(device("-d", "roce://10.0.0.1:4000?progress=thread").uri(local))
                .isEqualTo("roce://10.0.0.1:4000?progress=thread");
        assertThat(device("-d", "roce://10.0.0.1?progress=thread").isCaller()).isFalse();
        assertThat(device("-d", "loopback://a", "--ack", "8,50").uri(local))
                .isEqualTo("loopback://a");
        assertThat(device().uri(InetAddress.ofLiteral("::1")))
                .isEqualTo("roce://[0:0:0:0:0:0:0:1]?progress=caller");
    }

    @Test
    void everyFlagOfADeviceReachesIt() {
        assertThat(
                        device("--path=portable", "--ack", "8,50", "--gso=off", "--rcvbuf=1K")
                                .uri(InetAddress.ofLiteral("127.8.9.10")))
                .isEqualTo(
                        "roce://127.8.9.10?progress=caller&rcvbuf=1024&gso=off&path=portable"
                                + "&ack=8,50");
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.SECONDS)
    void aServerWithoutAClientEndsAfterItsWait() {
        Command server =
                Command.run(
                        "perf", "write", "bw", "--bind", "127.83.9.1", "-p", "0", "--wait", "1");

        assertThat(server.status()).isEqualTo(1);
        assertThat(server.err()).matches("verbena perf: port \\d+: no client within 1 s\n");
    }

    private static DeviceFlags device(String... words) {
        DeviceFlags flags = new DeviceFlags();
        new CommandLine(
                        CommandLine.Model.CommandSpec.create()
                                .addMixin(
                                        "flags",
                                        CommandLine.Model.CommandSpec.forAnnotatedObject(flags)))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(words);
        return flags;
    }
}
