package dev.verbena.manager;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A manager in a process of its own.
final class ManagerProcess implements AutoCloseable {
    private static final long WAIT_S = 20;

    private final Process process;
    private final Path output;

    ManagerProcess(List<String> arguments, Path output) throws IOException {
        this.output = output;
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-ea",
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.verbena.manager.ManagerCommand"));
        command.addAll(arguments);
        process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        // A campaign that is ended leaves nothing behind.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    void kill() {
        process.destroyForcibly();
    }

    /// Takes its processors away, at once and without its knowledge.
    void stop() {
        signal("STOP");
    }

    void proceed() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            Process sent =
                    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            if (!sent.waitFor(WAIT_S, TimeUnit.SECONDS)) {
                throw new IllegalStateException("kill does not end");
            }
        } catch (IOException failed) {
            throw new IllegalStateException("no signal was sent", failed);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", ended);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(WAIT_S, TimeUnit.SECONDS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
