package dev.verbena.benchmarks.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A program of another process, with its time limit; whatever happens, it ends.
public final class Command implements AutoCloseable {
    private final List<String> words;
    private final Process process;
    private final Path output;
    private final Path errors;

    private Command(List<String> words, Process process, Path output, Path errors) {
        this.words = words;
        this.process = process;
        this.output = output;
        this.errors = errors;
    }

    public static Command start(Map<String, String> environment, List<String> words) {
        try {
            Path output = Files.createTempFile("bench", ".out");
            Path errors = Files.createTempFile("bench", ".err");
            ProcessBuilder builder = new ProcessBuilder(words);
            builder.environment().putAll(environment);
            builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
            return new Command(words, builder.start(), output, errors);
        } catch (IOException e) {
            throw new BenchException(String.join(" ", words) + ": " + e.getMessage(), e);
        }
    }

    /// Runs a program to its end, and gives what it prints.
    public static String run(Duration limit, Map<String, String> environment, List<String> words) {
        try (Command command = start(environment, words)) {
            return command.finish(limit);
        }
    }

    public static String run(Duration limit, String... words) {
        return run(limit, Map.of(), List.of(words));
    }

    /// Whether a program of this name can be started.
    public static boolean exists(String name) {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            if (Files.isExecutable(Path.of(directory, name))) {
                return true;
            }
        }
        return false;
    }

    public static void pause(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
    }

    public static List<String> join(List<String> head, List<String> tail) {
        List<String> all = new ArrayList<>(head);
        all.addAll(tail);
        return all;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /// Waits for the end, and gives what was printed.
    public String finish(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new BenchException(
                        "%s: still running after %d s; ended".formatted(line(), limit.toSeconds()));
            }
            if (process.exitValue() != 0) {
                throw new BenchException(
                        "%s: exit status %d: %s"
                                .formatted(line(), process.exitValue(), lastWords()));
            }
            return Files.readString(output);
        } catch (IOException e) {
            throw new BenchException(line() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException(line() + ": interrupted", e);
        }
    }

    /// Asks the program to end, as a terminal does, and gives what it printed.
    public String interrupt(Duration limit) {
        run(Duration.ofSeconds(5), "kill", "-INT", Long.toString(pid()));
        try {
            process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            return Files.readString(output) + Files.readString(errors);
        } catch (IOException e) {
            throw new BenchException(line() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException(line() + ": interrupted", e);
        }
    }

    /// The program by its name: where it lies means nothing on another machine.
    private String line() {
        String program = Path.of(words.getFirst()).getFileName() + "";
        return String.join(" ", join(List.of(program), words.subList(1, words.size())));
    }

    private String lastWords() throws IOException {
        String text = (Files.readString(output) + Files.readString(errors)).strip();
        return text.length() <= 400 ? text : "… " + text.substring(text.length() - 400);
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
            Files.deleteIfExists(output);
            Files.deleteIfExists(errors);
        } catch (IOException e) {
            System.err.println("left behind: " + output + ", " + errors + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
