package dev.verbena.benchmarks.roce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Where the time of each end of `verbena perf` goes, by Linux' `perf`: the kernel's functions and
/// compiled Java in one list.
final class Profile {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int SECONDS = 8;
    private static final int UNTIL_STEADY_MS = 5000;
    private static final int SAMPLES_PER_SECOND = 1999;
    private static final int LINES = 30;

    /// So that perf can name what the JIT has compiled: the JVM writes its map when it ends.
    private static final Map<String, String> NAMES =
            Map.of(
                    "JAVA_TOOL_OPTIONS",
                    "-XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions"
                            + " -XX:+DumpPerfMapAtExit");

    private final VerbenaPerf program;
    private final Path directory;

    Profile(VerbenaPerf program, Path directory) {
        this.program = program;
        this.directory = directory;
    }

    void run(Subject subject, Place place) throws IOException {
        Path left = directory.resolve("left.perf");
        Path right = directory.resolve("right.perf");
        System.out.printf("%n== %s, %s%n", subject.name(), place.name());
        try (Command server = start(place.right(), program.server(subject, place, SECONDS))) {
            place.awaitListening(server, VerbenaPerf.PORT);
            try (Command client = start(place.left(), program.client(subject, place, SECONDS))) {
                Thread.sleep(UNTIL_STEADY_MS);
                try (Command one = record(client, left);
                        Command two = record(server, right)) {
                    one.finish(LIMIT);
                    two.finish(LIMIT);
                }
                System.out.println(shortened(client.finish(LIMIT)));
                server.finish(LIMIT);
            }
            report("sender", left);
            report("receiver", right);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
    }

    private static Command start(Place.Host host, List<String> words) {
        return Command.start(NAMES, host.words(words));
    }

    private static Command record(Command process, Path file) {
        return Command.start(
                Map.of(),
                List.of(
                        "perf",
                        "record",
                        "-q",
                        "-e",
                        "cpu-clock",
                        "-F",
                        Integer.toString(SAMPLES_PER_SECOND),
                        "-o",
                        file.toString(),
                        "-p",
                        Long.toString(process.pid()),
                        "--",
                        "sleep",
                        "2"));
    }

    private static void report(String end, Path file) throws IOException {
        String printed =
                Command.run(
                        LIMIT,
                        "perf",
                        "report",
                        "--stdio",
                        "--no-children",
                        "--sort",
                        "symbol",
                        "-i",
                        file.toString());
        System.out.printf("-- %s%n", end);
        printed.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .limit(LINES)
                .map(Profile::readable)
                .forEach(System.out::println);
        Files.delete(file);
    }

    /// Without perf's empty columns, the packages of our classes, and parameters.
    private static String readable(String line) {
        return line.replaceAll("[ -]+$", "")
                .replaceAll("\\(.*dev\\.verbena.*\\)$", "")
                .replaceAll("\\[\\.\\] \\S+ (?=dev\\.verbena)", "[.] ")
                .replace("dev.verbena.", "")
                .replace("StubRoutines (initialstubs)", "JVM's checksum routine")
                .replace("StubRoutines (finalstubs)", "JVM's copy routines");
    }

    private static String shortened(String json) {
        int results = json.indexOf("\"results\"");
        return results < 0 ? Values.shortened(json) : json.substring(results).strip();
    }
}
