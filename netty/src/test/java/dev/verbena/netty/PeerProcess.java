package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A [PeerProgram] that runs.
final class PeerProcess implements AutoCloseable {
    private final Process process;

    /// Starts it; it is connected when this returns.
    PeerProcess(InetSocketAddress server) throws IOException {
        this(List.of(), RdmaPermutation.HOST.replaceFirst("1$", "2"), server);
    }

    /// The same by a command that runs another, at this address.
    PeerProcess(List<String> by, String address, InetSocketAddress server) throws IOException {
        List<String> command = new ArrayList<>(by);
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PeerProgram.class.getName(),
                        address,
                        server.getHostString(),
                        String.valueOf(server.getPort())));
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        awaitConnected();
    }

    private void awaitConnected() throws IOException {
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        // Netty logs before it; the process ends when it cannot connect.
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(PeerProgram.CONNECTED)) {
                return;
            }
        }
        throw new AssertionError("the peer ended without a connection");
    }

    /// Ends it as `kill -9` does.
    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(TestLoops.LIMIT_S, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
