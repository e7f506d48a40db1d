package dev.verbena.collectives.live;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A rank in a process of its own, which can be killed and stopped. It ends with this object.
final class RankProcess implements AutoCloseable {
    private static final long END_LIMIT_S = 60;

    private final int rank;
    private final Process process;
    private final BufferedReader lines;

    RankProcess(int rank, int size, String addresses) {
        this(LiveRank.class, rank, size, addresses);
    }

    /// @param program whose main method takes the other arguments
    RankProcess(Class<?> program, int rank, int size, String addresses) {
        this.rank = rank;
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath(),
                        program.getName(),
                        Integer.toString(rank),
                        Integer.toString(size),
                        addresses);
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        lines = process.inputReader(StandardCharsets.UTF_8);
    }

    /// What this test is loaded from, modules or not.
    private static String classPath() {
        String own = LiveRank.class.getName().replace('.', '/') + ".class";
        URL found = Objects.requireNonNull(LiveRank.class.getResource("LiveRank.class"));
        String uri = found.toString();
        Path tests = Path.of(URI.create(uri.substring(0, uri.length() - own.length())));
        return Stream.of(
                        tests.toString(),
                        System.getProperty("java.class.path", ""),
                        System.getProperty("jdk.module.path", ""))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    /// The next line that it says.
    String hear() {
        try {
            String line = lines.readLine();
            return line == null ? "rank " + rank + " has ended" : line;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Ends it as `kill -9` does.
    void kill() {
        process.destroyForcibly();
    }

    /// Stops it, as a machine that hangs; [#close] ends it all the same.
    void stop() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /// Waits for its end, and gives the status.
    int await() throws InterruptedException {
        if (!process.waitFor(END_LIMIT_S, TimeUnit.SECONDS)) {
            throw new AssertionError("rank " + rank + " does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
    }
}
