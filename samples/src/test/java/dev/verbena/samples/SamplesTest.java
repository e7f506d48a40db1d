package dev.verbena.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.NoDeviceException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Runs every sample as its user does, and holds all of them to one page.
class SamplesTest {
    private static final Path SOURCES =
            Path.of(System.getProperty("verbena.root", ".."))
                    .resolve("samples/src/main/java/dev/verbena/samples");
    private static final int LINES_MAX = 79;

    /// EchoServer, EchoClient and AllReduce, which talk to another program.
    private static final int SEVERAL_PROGRAMS = 3;

    /// The output of RemoteCounter, here and in `docs/start.md`.
    static final String COUNTED =
            """
            4000 additions, 4000 different values
            1 winner of 4, counter at 0
            """;

    private static final List<String> HEARD =
            List.of(
                    "question 0",
                    "question 1",
                    "question 2",
                    "question 3",
                    "announcement heard",
                    "announcement heard",
                    "announcement heard",
                    "announcement heard");

    @Test
    void pingPongMeasuresWhatItMoves() {
        assertThat(outputOf(PingPong::main))
                .matches(
                        """
                        81920000 bytes in [\\d.]+ s, \\d+ Mbit/s
                        10000 iterations, [\\d.]+ µs/iteration
                        """);
    }

    @Test
    void writeImmediateTellsWhichSlotWasWritten() {
        assertThat(outputOf(WriteImmediate::main))
                .startsWith("slot 0: text number 0, 1024 bytes\n")
                .endsWith("slot 7: text number 7, 1024 bytes\n8 notifications, all as written\n");
    }

    @Test
    void remoteCounterHandsOutEveryValueOnce() {
        assertThat(outputOf(RemoteCounter::main)).isEqualTo(COUNTED);
    }

    @Test
    void datagramsAreAnsweredAndTheGroupIsHeard() {
        assertThat(outputOf(Datagrams::main).lines()).containsExactlyElementsOf(HEARD);
    }

    /// A thread that moves to another processor between two datagrams may reorder them, on the
    /// loopback interface too.
    @Test
    void datagramsOverSocketsAreAnsweredInAnyOrder() {
        String[] sockets = {"roce://127.7.4.3", "roce://127.7.4.4"};
        assertThat(outputOf(none -> Datagrams.main(sockets)).lines())
                .containsExactlyInAnyOrderElementsOf(HEARD);
    }

    @Test
    void aPortIsResolvedToAQueuePairThatHearsDatagrams() {
        assertThat(outputOf(Resolve::main))
                .isEqualTo(
                        """
                        asked: may I?
                        answered: you may
                        heard: hello
                        """);
    }

    @Test
    void whatTheClientSaysComesBackFromTheServer() throws Exception {
        CompletableFuture<Void> server =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                EchoServer.main(new String[] {"roce://127.7.4.1"});
                            } catch (ConnectionFailedException failed) {
                                throw new IllegalStateException(failed);
                            }
                        });
        String output = outputOf(none -> ask("roce://127.7.4.2", "127.7.4.1"));
        server.get(30, TimeUnit.SECONDS);

        assertThat(output).contains("hello, 127.7.4.1\n");
    }

    /// A client that finds the server's device before its listener exists gets a refusal, and asks
    /// again.
    private static void ask(String... arguments) {
        while (true) {
            try {
                EchoClient.main(arguments);
                return;
            } catch (ConnectionFailedException early) {
                if (early.reason() != ConnectionFailedException.Reason.NOBODY_LISTENS) {
                    throw new IllegalStateException(early);
                }
            }
        }
    }

    @Test
    void everyRankGetsTheSumOfAll() {
        String[] first = {"roce://127.7.4.5", "0", "2", "127.7.4.5"};
        String[] second = {"roce://127.7.4.6", "1", "2", "127.7.4.5"};
        String output =
                outputOf(
                        none -> {
                            CompletableFuture<Void> other =
                                    CompletableFuture.runAsync(() -> reduce(second));
                            reduce(first);
                            other.join();
                        });
        assertThat(output.lines()).containsExactlyInAnyOrder("rank 0: 3.0", "rank 1: 3.0");
    }

    private static void reduce(String... arguments) {
        try {
            AllReduce.main(arguments);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void theDevicesAreThoseOfTheArguments() {
        String[] unknown = {"loopback://a", "nowhere://b"};
        for (Consumer<String[]> sample : samples()) {
            assertThatThrownBy(() -> sample.accept(unknown))
                    .isInstanceOf(NoDeviceException.class)
                    .hasMessageStartingWith("device nowhere://b");
        }
    }

    @Test
    void everySampleIsUnderEightyLinesAndRunHere() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            List<Path> sources = files.filter(file -> !file.endsWith("package-info.java")).toList();
            assertThat(sources).hasSize(samples().size() + SEVERAL_PROGRAMS);
            assertThat(sources)
                    .allSatisfy(
                            file ->
                                    assertThat(Files.readAllLines(file))
                                            .hasSizeLessThanOrEqualTo(LINES_MAX));
        }
    }

    private static List<Consumer<String[]>> samples() {
        return List.of(
                PingPong::main,
                WriteImmediate::main,
                RemoteCounter::main,
                Datagrams::main,
                Resolve::main);
    }

    private static String outputOf(Consumer<String[]> sample) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            sample.accept(new String[0]);
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
