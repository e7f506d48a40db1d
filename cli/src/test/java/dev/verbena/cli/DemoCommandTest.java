package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The whole of `verbena demo`, with its second process.
@Tag("long")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class DemoCommandTest {
    @TempDir private Path folder = Path.of("");

    @Test
    void showsLossAndRecoveryInEightyColumnsAndKeepsTheCaptures() {
        Command demo = Command.run("demo", "--seed", "7", "--keep", folder);

        assertThat(demo.status()).as(demo.err()).isZero();
        assertThat(demo.out().lines())
                .allSatisfy(
                        line ->
                                assertThat(line.codePointCount(0, line.length()))
                                        .as(line)
                                        .isLessThanOrEqualTo(DemoScreen.WIDTH));
        assertThat(demo.out())
                .doesNotContain("\u001b")
                .contains("--seed 7", "64 KiB, 2 packets lost", "  LOST\n")
                .contains("NAK PSN sequence error")
                .containsPattern("captured: 2 lost, [1-9]\\d* sent again, [1-9]\\d* NAK")
                .containsPattern("\n      req_retransmits +[1-9]")
                .containsPattern("[1-9][\\d,]* sent, [1-9][\\d,]* dropped\n")
                .contains("128 of 128 are over");
        for (String name : List.of("roce.pcapng", "fabric.pcapng")) {
            Command decode = Command.run("decode", "--strict", "--summary", folder.resolve(name));
            assertThat(decode.status()).as(decode.err()).isZero();
            assertThat(decode.out()).contains("right, 0 wrong").contains("rexmit");
        }
    }

    @Test
    void theSecondProcessEndsWhenTheFirstIsKilled() throws Exception {
        Process first = start();
        ProcessHandle second = second(first);

        first.destroyForcibly().waitFor();

        assertThat(second.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
    }

    @Test
    void anInterruptedDemoLeavesNeitherProcessNorFile() throws Exception {
        Process first = start();
        ProcessHandle second = second(first);

        first.destroy(); // as Ctrl-C does: with a signal that lets the program clean up
        first.waitFor();

        assertThat(second.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    private Process start() throws IOException {
        List<String> command = new ArrayList<>(PerfProcess.java());
        command.add(1, "-Djava.io.tmpdir=" + folder);
        command.add("demo");
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static ProcessHandle second(Process first) {
        Wait.until(
                "the demo has a second process",
                Duration.ofSeconds(60),
                () -> first.children().findAny().isPresent());
        return first.children().findAny().orElseThrow();
    }
}
