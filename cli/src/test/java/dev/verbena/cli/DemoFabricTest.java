package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The simulated part of `verbena demo`.
@Tag("command")
class DemoFabricTest {
    @TempDir private Path folder = Path.of("");

    private String run(long seed, String name) throws IOException {
        StringWriter text = new StringWriter();
        DemoScreen screen = new DemoScreen(new PrintWriter(text), false, true, false);
        assertThat(new DemoFabric(screen, seed).run(folder.resolve(name))).isZero();
        return text.toString();
    }

    @Test
    void theSameSeedGivesTheSameTextAndPacketsAndAnotherSeedDoesNot() throws IOException {
        String first = run(3, "first.pcapng");
        String second = run(3, "second.pcapng");
        String other = run(4, "other.pcapng");

        assertThat(second).isEqualTo(first);
        assertThat(folder.resolve("second.pcapng"))
                .hasSameBinaryContentAs(folder.resolve("first.pcapng"));
        assertThat(other).isNotEqualTo(first);
        assertThat(Files.size(folder.resolve("first.pcapng"))).isPositive();
    }

    @Test
    void thePageShowsTheSimulatedPartAsItIs() throws IOException {
        Path page = Path.of(System.getProperty("verbena.root", ".."), "docs/demo.md");

        assertThat(withoutNumbersOfScenes(Files.readString(page)))
                .as("stale page: copy a new run of verbena demo into it")
                .contains(withoutNumbersOfScenes(run(1, "page.pcapng")));
    }

    private static String withoutNumbersOfScenes(String text) {
        return text.replaceAll("(?m)^ \\d  ", " N  ");
    }

    @Test
    void aLateHostWaitsForItsTimerAndSendsAgain() throws IOException {
        String text = run(3, "late.pcapng");

        assertThat(text)
                .containsPattern("6\\d\\.\\d ms without a packet, until the timer")
                .containsPattern("─▶  RC WRITE \\w+ +0x\\w{6}  4096 B  again\n")
                .containsPattern("captured: [1-9]\\d* sent again")
                .containsPattern("\n      dropping +[1-9][\\d,]* dropped")
                .containsPattern("\n      pausing +0 dropped")
                .containsPattern("\n      rx_prio0_discards +[1-9]");
    }

    @Test
    void theDropsOfTheDrawingAreThoseOfTheFabric() throws IOException {
        DemoSimulation lossy = new DemoSimulation(3, true);
        lossy.run();
        Stream<String> switches =
                Stream.of(
                                IntStream.range(0, 16).mapToObj(it -> "core " + it),
                                IntStream.range(0, 32).mapToObj(it -> "leaf " + it),
                                IntStream.range(0, 32)
                                        .mapToObj(it -> "pod " + it / 4 + " aggregation " + it % 4))
                        .flatMap(it -> it);

        assertThat(switches.mapToLong(lossy::drops).sum())
                .isPositive()
                .isEqualTo(lossy.fabric().counts().drops());
        assertThat(lossy.left()).isZero();
    }

    @Test
    void theCommandThatItNamesIsTheSameSimulation() throws IOException {
        DemoSimulation lossy = new DemoSimulation(3, true);
        lossy.run();
        Command sim =
                Command.run(
                        (Object[]) lossy.command().replaceFirst("^verbena ", "").split(" ", -1));

        assertThat(sim.status()).as(sim.err()).isZero();
        assertThat(sim.out())
                .contains("dropped " + Texts.count(lossy.fabric().counts().drops()) + "\n");
    }
}
