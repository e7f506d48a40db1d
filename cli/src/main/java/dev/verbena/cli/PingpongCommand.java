package dev.verbena.cli;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `verbena pingpong`: messages back and forth, with an `ibv_rc_pingpong` or another of itself.
@Command(
        name = "pingpong",
        description = {
            "Sends messages back and forth over a reliable connection.",
            "The other side may be libibverbs' ibv_rc_pingpong, on either end."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena pingpong -d roce://192.0.2.10        and on the other machine",
            "  ibv_rc_pingpong -g 1 192.0.2.10"
        })
final class PingpongCommand implements Callable<Integer> {
    private static final int LIMIT_MS = 30_000;

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..1",
            paramLabel = "HOST",
            description = "Where the server is; none to be the server.")
    private @Nullable String host;

    @Mixin private DeviceFlags device = new DeviceFlags();

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "TCP port to exchange addresses over (18515).")
    private int port = 18515;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description = "Address of this side for the TCP connection (any).")
    private @Nullable String bind;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = "How long a server waits for a client (for ever).")
    private int waitSeconds;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Size of a message (4096).")
    private long bytes = 4096;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            description = "Path MTU (1024).")
    private int mtu = 1024;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "COUNT",
            description = "Receives to post at a time (500).")
    private int rxDepth = 500;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "COUNT",
            description = "Exchanges (1000).")
    private int iterations = 1000;

    @Option(
            names = {"-c", "--chk"},
            description = "Check every message that comes.")
    private boolean check;

    /// Made by picocli.
    PingpongCommand() {}

    @Override
    public Integer call() {
        try {
            if (host == null) {
                serve();
            } else {
                ask(host);
            }
            return CommandLine.ExitCode.OK;
        } catch (PerfException | VerbsException | IOException failed) {
            spec.commandLine().getOut().flush();
            spec.commandLine().getErr().println("verbena pingpong: " + failed.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private void serve() throws IOException {
        try (ServerSocket listener = new ServerSocket()) {
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(bind == null ? null : literal(bind), port), 1);
            listener.setSoTimeout(waitSeconds * 1000);
            try (Socket socket = listener.accept()) {
                socket.setSoTimeout(LIMIT_MS);
                run(socket, false);
            }
        }
    }

    private void ask(String server) throws IOException {
        try (Socket socket = new Socket()) {
            if (bind != null) {
                socket.bind(new InetSocketAddress(literal(bind), 0));
            }
            socket.setSoTimeout(LIMIT_MS);
            socket.connect(new InetSocketAddress(server, port), LIMIT_MS);
            run(socket, true);
        } catch (IOException failed) {
            throw new PerfException(
                    "%s port %d: %s; start pingpong there without a host"
                            .formatted(server, port, failed.getMessage()),
                    failed);
        }
    }

    private void run(Socket socket, boolean isClient) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try (Device opened = Devices.open(device.uri(socket.getLocalAddress()));
                PingpongRun run = new PingpongRun(opened, (int) bytes, rxDepth, check)) {
            PingpongAddress here = run.address();
            out.print("  local address:  " + here + "\n");
            out.flush();
            PingpongAddress there = run.meet(socket, isClient, mtu);
            out.print("  remote address: " + there + "\n");
            out.flush();
            long ns = run.exchange(iterations, isClient);
            report(out, ns);
        }
    }

    private void report(PrintWriter out, long ns) {
        double us = Math.max(1, ns) / 1e3;
        long all = 2L * bytes * iterations;
        out.printf(
                Locale.ROOT,
                "%d bytes in %.2f seconds = %.2f Mbit/sec%n",
                all,
                us / 1e6,
                all * 8 / us);
        out.printf(
                Locale.ROOT,
                "%d iters in %.2f seconds = %.2f usec/iter%n",
                iterations,
                us / 1e6,
                us / iterations);
        out.flush();
    }

    private static InetAddress literal(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException malformed) {
            throw new PerfException(
                    "--bind " + text + ": no IPv4 or IPv6 address; write it as 192.0.2.10",
                    malformed);
        }
    }
}
