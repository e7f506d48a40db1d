package dev.verbena.roce;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A [LineControlledProgram] that runs.
final class LineControlledProcess implements AutoCloseable {
    private static final long LIMIT_S = 60;

    private final String name;
    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /// Starts it; it is there when [#ready] returns.
    LineControlledProcess(String uri, String name) throws IOException {
        this.name = name;
        process =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElse("java"),
                                "-Xmx64m",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                TransferCheckProcess.classPath(),
                                LineControlledProgram.class.getName(),
                                uri,
                                name)
                        .redirectErrorStream(true)
                        .start();
        Thread.ofVirtual().start(this::read);
    }

    private void read() {
        try (BufferedReader in = process.inputReader(StandardCharsets.US_ASCII)) {
            in.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException ended) {
            // Its output ends with it.
        }
        lines.add("(end of output)");
    }

    LineControlledProcess ready() {
        String line = next();
        if (!line.equals("ready")) {
            throw new AssertionError(this + " says: " + line + " " + lines);
        }
        return this;
    }

    /// Has it do what a line says; returns what it answers.
    String ask(String line) {
        tell(line);
        return next();
    }

    private void tell(String line) {
        try {
            process.outputWriter(StandardCharsets.US_ASCII).write(line + "\n");
            process.outputWriter(StandardCharsets.US_ASCII).flush();
        } catch (IOException gone) {
            throw new UncheckedIOException(this + " is gone and said " + lines, gone);
        }
    }

    private String next() {
        try {
            String line = lines.poll(LIMIT_S, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError(this + " does not answer");
            }
            return line;
        } catch (InterruptedException interrupted) {
            throw new AssertionError("interrupted", interrupted);
        }
    }

    /// Ends it as SIGKILL does.
    void kill() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                throw new AssertionError(this + " does not end");
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError("interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        return name + ", process " + process.pid();
    }
}
