package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Where a process is, some thousand times a second, by Linux' `perf`: the kernel's functions and
/// compiled Java in one list.
final class Sampling implements AutoCloseable {
    /// Lets perf name what the JIT has compiled: the JVM writes its map when it ends.
    static final Map<String, String> NAMES =
            Map.of("JAVA_TOOL_OPTIONS", "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit");

    /// What moves payload: the kernel's two functions, and the JVM's.
    static final Pattern COPIES =
            Pattern.compile("_copy_(from|to)_iter|copy_page_(from|to)_iter|finalstubs|memmove");

    /// The JVM's routine for CRC-32.
    static final Pattern CHECKSUMS = Pattern.compile("initialstubs");

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int PER_SECOND = 1999;
    private static final Pattern LINE = Pattern.compile("^\\s*([0-9.]+)%\\s+(.*?)[ -]*$");

    private final Path file;
    private final Command recorder;

    /// One function, and its share of all samples.
    record Share(double percent, String symbol) {}

    private Sampling(Path file, Command recorder) {
        this.file = file;
        this.recorder = recorder;
    }

    static Sampling start(long pid, int seconds) {
        try {
            Path file = Files.createTempFile("bench", ".perf");
            List<String> words = List.of("perf", "record", "-q", "-e", "cpu-clock", "-F");
            List<String> more =
                    List.of(
                            Integer.toString(PER_SECOND),
                            "-o",
                            file.toString(),
                            "-p",
                            Long.toString(pid),
                            "--",
                            "sleep",
                            Integer.toString(seconds));
            return new Sampling(file, Command.start(Map.of(), Command.join(words, more)));
        } catch (IOException e) {
            throw new BenchException("perf: " + e.getMessage(), e);
        }
    }

    void finish() {
        recorder.finish(LIMIT);
    }

    /// What was seen, the most frequent first; to be asked when the process has ended.
    List<Share> shares() {
        List<String> words = List.of("perf", "report", "--stdio", "--no-children", "-i");
        List<String> all = Command.join(words, List.of(file.toString(), "--sort", "symbol"));
        try (Stream<String> lines = Command.run(LIMIT, Map.of(), all).lines()) {
            return lines.map(LINE::matcher)
                    .filter(Matcher::matches)
                    .map(found -> new Share(Double.parseDouble(found.group(1)), found.group(2)))
                    .toList();
        }
    }

    /// The share of all time that was in functions of such names: 0 to 1.
    static double share(List<Share> shares, Pattern names) {
        return shares.stream()
                        .filter(one -> names.matcher(one.symbol).find())
                        .mapToDouble(Share::percent)
                        .sum()
                / 100;
    }

    @Override
    public void close() {
        recorder.close();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            System.err.println("left behind: " + file + ": " + e.getMessage());
        }
    }
}
