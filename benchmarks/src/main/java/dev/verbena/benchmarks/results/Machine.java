package dev.verbena.benchmarks.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/// What the figures are of: processor, kernel, JDK, commit, and how busy the machine was before.
public final class Machine {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final Path STAT = Path.of("/proc/stat");
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int LOOK_MS = 1000;
    private static final double QUIET_CORES = 0.2;

    private Machine() {}

    public static void describe(String place, Path root, ResultLog log) throws IOException {
        int cores = Runtime.getRuntime().availableProcessors();
        note(log, place, "CPU", "%s, %d cores".formatted(processor(), cores));
        note(log, place, "kernel", System.getProperty("os.name") + " " + version());
        note(
                log,
                place,
                "JDK",
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        note(log, place, "commit", commit(root));
        double others = busy() * cores;
        String text = String.format(Locale.ROOT, "%.2f of %d cores busy", others, cores);
        note(log, place, "others before the run", text);
        if (others > QUIET_CORES) {
            System.out.println(
                    text + " before the run: the figures will say less; try again later");
        }
    }

    private static void note(ResultLog log, String place, String topic, String text) {
        log.add(new Entry.Note(place, Entry.Note.MACHINE + topic, text));
    }

    private static String version() {
        return System.getProperty("os.version", "unknown");
    }

    private static String processor() throws IOException {
        try (Stream<String> lines = Files.lines(CPU_INFO)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        }
    }

    private static String commit(Path root) {
        try {
            List<String> git = List.of("git", "-C", root.toString());
            String head = git(git, "rev-parse", "--short", "HEAD").strip();
            boolean isChanged = !git(git, "status", "--porcelain", "-uno").isBlank();
            return isChanged ? head + ", with changes" : head;
        } catch (BenchException noGit) {
            return "unknown";
        }
    }

    private static String git(List<String> git, String... words) {
        return Command.run(LIMIT, Map.of(), Command.join(git, List.of(words)));
    }

    /// The share of the processors that is in use.
    private static double busy() throws IOException {
        long[] before = ticks();
        try {
            Thread.sleep(LOOK_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
        long[] after = ticks();
        long all = after[0] - before[0];
        return all == 0 ? 0 : 1 - (after[1] - before[1]) / (double) all;
    }

    /// All ticks, and the idle ones, of the first line of /proc/stat.
    private static long[] ticks() throws IOException {
        String[] words = Files.readAllLines(STAT).getFirst().split("\\s+", -1);
        long all = 0;
        for (int i = 1; i < words.length; i++) {
            all += Long.parseLong(words[i]);
        }
        return new long[] {all, Long.parseLong(words[4]) + Long.parseLong(words[5])};
    }
}
