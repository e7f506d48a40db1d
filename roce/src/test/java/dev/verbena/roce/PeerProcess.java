package dev.verbena.roce;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Device;
import dev.verbena.wire.Psn;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Another process with the far side of some [Traffic], which can be killed and stopped.
final class PeerProcess implements AutoCloseable {
    private static final long PATIENCE_S = 30;

    private final Process process;
    private final BufferedReader out;
    private final BufferedWriter in;

    /// Starts the process; it opens nothing until [#join].
    PeerProcess() {
        try {
            process =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-Xmx256m",
                                    "-XX:TieredStopAtLevel=1",
                                    "--enable-native-access=ALL-UNNAMED",
                                    "-cp",
                                    classPath(),
                                    PeerProgram.class.getName())
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        out = process.inputReader(StandardCharsets.UTF_8);
        in = process.outputWriter(StandardCharsets.UTF_8);
    }

    /// Where this test's own classes come from, modules or not.
    static String classPath() {
        return Stream.of(
                        PeerProgram.class,
                        RoceProvider.class,
                        TransportDevice.class,
                        Device.class,
                        Psn.class)
                .map(PeerProcess::origin)
                .distinct()
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    private static String origin(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        URL found = Objects.requireNonNull(type.getResource(type.getSimpleName() + ".class"));
        String uri = found.toString();
        String root = uri.substring(0, uri.length() - file.length());
        if (root.startsWith("jar:")) {
            root = root.substring("jar:".length(), root.length() - "!/".length());
        }
        return Path.of(URI.create(root)).toString();
    }

    /// Opens its device and connects it with our side, which is new.
    void join(String uri, Traffic ours, int timeout) {
        say(uri);
        String offer = hear();
        // Both are connected before either begins: starting a process may take longer than the
        // patience of a queue pair.
        ours.connect(offer, timeout);
        say(Integer.toString(timeout));
        say(ours.offer());
        hear();
        ours.begin();
    }

    private void say(String line) {
        try {
            in.write(line + "\n");
            in.flush();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String hear() {
        try {
            String line = out.readLine();
            if (line == null) {
                throw new AssertionError("process " + process.pid() + " has ended by itself");
            }
            return line;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Ends it as `kill -9` does, and waits until it is gone.
    void kill() {
        process.destroyForcibly();
        waitForEnd();
    }

    /// Stops it for so long; returns at once.
    Process pause(double seconds) {
        long pid = process.pid();
        String script =
                String.format(
                        Locale.ROOT, "kill -STOP %d; sleep %.3f; kill -CONT %d", pid, seconds, pid);
        try {
            return new ProcessBuilder(List.of("sh", "-c", script)).inheritIO().start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Stops it for good; [#close] ends it all the same.
    void stop() {
        try {
            new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }

    private void waitForEnd() {
        try {
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                throw new AssertionError("process " + process.pid() + " does not end");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
