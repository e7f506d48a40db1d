package dev.verbena.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A second process of this program, with the same Java, options of the JVM and modules.
///
/// It ends with this object, however that comes about.
final class PerfProcess implements AutoCloseable {
    /// The modules that call native code.
    private static final List<String> NATIVE = List.of("dev.verbena.roce", "dev.verbena.ibverbs");

    private static final int LINES_KEPT = 20;
    private static final long END_LIMIT_S = 10;

    private final Process process;
    private final ArrayDeque<String> lines = new ArrayDeque<>();
    private final Thread reader;
    private boolean isOver;

    PerfProcess(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(java());
        command.addAll(arguments);
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        reader = Thread.ofVirtual().start(this::read);
    }

    /// The command line of another JVM like this one, up to its arguments.
    static List<String> java() {
        List<String> command = new ArrayList<>();
        ProcessHandle.Info info = ProcessHandle.current().info();
        command.add(info.command().orElse(System.getProperty("java.home") + "/bin/java"));
        for (String word : info.arguments().orElse(new String[0])) {
            if (isKept(word)) {
                command.add(word);
            }
        }
        String modules =
                NATIVE.stream()
                        .filter(name -> ModuleLayer.boot().findModule(name).isPresent())
                        .collect(Collectors.joining(","));
        command.add("--enable-native-access=" + (modules.isEmpty() ? "ALL-UNNAMED" : modules));
        addPath(command, "--module-path", System.getProperty("jdk.module.path"));
        addPath(command, "--class-path", System.getProperty("java.class.path"));
        Module self = PerfProcess.class.getModule();
        String main = PerfProcess.class.getPackageName() + ".Main";
        if (self.isNamed()) {
            command.addAll(List.of("--module", self.getName() + "/" + main));
        } else {
            command.add(main);
        }
        return command;
    }

    /// The cache of classes and its silence too; not the options that make a new cache.
    private static boolean isKept(String word) {
        return (word.startsWith("-XX:") && !word.contains("AOT"))
                || word.startsWith("-XX:AOTCache=")
                || word.equals("-Xlog:aot=off")
                || word.equals("-Xlog:cds=off");
    }

    private static void addPath(List<String> command, String option, @Nullable String path) {
        if (path != null && !path.isEmpty()) {
            command.addAll(List.of(option, path));
        }
    }

    private void read() {
        try (BufferedReader in = process.inputReader()) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                synchronized (lines) {
                    if (lines.size() == LINES_KEPT) {
                        lines.removeFirst();
                    }
                    lines.addLast(line);
                    lines.notifyAll();
                }
            }
        } catch (IOException broken) {
            // The process is gone; the end of its output means the same.
        }
        synchronized (lines) {
            isOver = true;
            lines.notifyAll();
        }
    }

    /// Waits for a line with this beginning, and returns the rest of the line.
    String await(String beginning, long limitNs) {
        long startNs = System.nanoTime();
        synchronized (lines) {
            while (true) {
                for (String line : lines) {
                    if (line.startsWith(beginning)) {
                        return line.substring(beginning.length()).strip();
                    }
                }
                long leftMs = (limitNs - (System.nanoTime() - startNs)) / 1_000_000;
                if (isOver || leftMs <= 0) {
                    throw new PerfException(
                            "second process: it %s:%n%s"
                                    .formatted(
                                            isOver ? "ended at once" : "did not start",
                                            String.join("\n", lines)));
                }
                waitForLines(leftMs);
            }
        }
    }

    private void waitForLines(long ms) {
        try {
            lines.wait(ms);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw new PerfException("second process: interrupted during its start", asked);
        }
    }

    /// The last lines of its output.
    String output() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }

    @Override
    public void close() {
        try {
            if (!process.waitFor(END_LIMIT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(END_LIMIT_S, TimeUnit.SECONDS);
            }
            reader.join(END_LIMIT_S * 1000);
        } catch (InterruptedException asked) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
