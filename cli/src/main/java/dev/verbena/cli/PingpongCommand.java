package dev.verbena.cli;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `verbena pingpong`: messages back and forth, with one of libibverbs' pingpong programs or
/// another of itself.
@Command(
        name = "pingpong",
        description = {
            "Sends messages back and forth over connections or as datagrams.",
            "The peer, client or server, may be ibv_rc_pingpong, ibv_uc_pingpong,"
                    + " ibv_ud_pingpong or ibv_srq_pingpong of libibverbs."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena pingpong -d roce://192.0.2.10        and on the other machine",
            "  ibv_rc_pingpong -g 1 192.0.2.10",
            "  verbena pingpong --type srq -q 4             and on the other machine",
            "  ibv_srq_pingpong -g 1 -q 4 192.0.2.10"
        })
final class PingpongCommand implements Callable<Integer> {
    private static final int LIMIT_MS = 30_000;
    private static final int USUAL_PAIRS = 16;
    private static final long MAX_BYTES = 1L << 30;

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..1",
            paramLabel = "HOST",
            description = "Address of the server; without it, this side is the server.")
    private @Nullable String host;

    @Mixin private DeviceFlags device = new DeviceFlags();

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description =
                    "rc, uc: a reliable or an unreliable connection; ud: "
                            + "datagrams; srq: reliable connections with a shared "
                            + "receive queue (rc).")
    private PingpongType type = PingpongType.RC;

    @Option(
            names = {"-q", "--num-qp"},
            paramLabel = "COUNT",
            description = "Number of queue pairs, for --type srq only (16).")
    private @Nullable Integer pairs;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "TCP port to exchange addresses over (18515).")
    private int port = 18515;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description = "Local address of the TCP connection (any).")
    private @Nullable String bind;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = "Time that a server waits for a client, in seconds (no " + "limit).")
    private int waitSeconds;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Message size (4096; ud 1024).")
    private @Nullable Long bytes;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            converter = ByteCount.Small.class,
            description = "Path MTU of connections (1024).")
    private int mtu = 1024;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "COUNT",
            description = "Receives posted at a time (500).")
    private int rxDepth = 500;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "COUNT",
            description = "Number of exchanges (1000).")
    private int iterations = 1000;

    @Option(
            names = {"-c", "--chk"},
            description = "Checks the data of every message received.")
    private boolean check;

    /// Made by picocli.
    PingpongCommand() {}

    @Override
    public Integer call() {
        PingpongPlan plan = plan();
        try {
            if (host == null) {
                serve(plan);
            } else {
                ask(plan, host);
            }
            return CommandLine.ExitCode.OK;
        } catch (UsageException wrong) {
            throw new CommandLine.ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        } catch (PerfException | VerbsException | IOException failed) {
            spec.commandLine().getOut().flush();
            spec.commandLine().getErr().println("verbena pingpong: " + failed.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private PingpongPlan plan() {
        int count = pairs != null ? pairs : type == PingpongType.SRQ ? USUAL_PAIRS : 1;
        require(
                count >= 1 && count <= type.addresses(),
                type.addresses() == 1
                        ? "-q %d: %s has one queue pair".formatted(count, type)
                        : "-q %d: %s has 1 to %d queue pairs"
                                .formatted(count, type, type.addresses()));
        long size = bytes != null ? bytes : type.usualBytes();
        require(
                size <= MAX_BYTES,
                "-s %d: a message has %d bytes at most".formatted(size, MAX_BYTES));
        require(rxDepth >= count, "-r %d: at least one per queue pair".formatted(rxDepth));
        require(iterations >= 1, "-n %d: at least 1".formatted(iterations));
        return new PingpongPlan(type, (int) size, rxDepth, count, mtu, check);
    }

    private void require(boolean isRight, String otherwise) {
        if (!isRight) {
            throw new CommandLine.ParameterException(spec.commandLine(), otherwise);
        }
    }

    private void serve(PingpongPlan plan) throws IOException {
        try (ServerSocket listener = new ServerSocket()) {
            listener.setReuseAddress(true);
            listener.bind(
                    new InetSocketAddress(
                            bind == null ? null : DeviceFlags.address("--bind", bind), port),
                    1);
            listener.setSoTimeout(waitSeconds * 1000);
            try (Socket socket = listener.accept()) {
                socket.setSoTimeout(LIMIT_MS);
                run(plan, socket, false);
            }
        }
    }

    private void ask(PingpongPlan plan, String server) throws IOException {
        try (Socket socket = new Socket()) {
            if (bind != null) {
                socket.bind(new InetSocketAddress(DeviceFlags.address("--bind", bind), 0));
            }
            socket.setSoTimeout(LIMIT_MS);
            socket.connect(new InetSocketAddress(server, port), LIMIT_MS);
            run(plan, socket, true);
        } catch (IOException failed) {
            throw new PerfException(
                    "%s port %d: %s; start pingpong there without a host"
                            .formatted(server, port, failed.getMessage()),
                    failed);
        }
    }

    private void run(PingpongPlan plan, Socket socket, boolean isClient) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try (Device opened = Devices.open(device.uri(socket.getLocalAddress()));
                PingpongRun run = new PingpongRun(opened, plan)) {
            show(out, "  local address:  ", run.addresses());
            PingpongHandshake handshake = new PingpongHandshake(type, run.addresses());
            show(out, "  remote address: ", handshake.meet(socket, isClient, run::connect));
            long ns = run.exchange(iterations, isClient);
            report(out, plan.bytes(), ns);
        }
    }

    private static void show(PrintWriter out, String title, List<PingpongAddress> addresses) {
        addresses.forEach(it -> out.print(title + it + "\n"));
        out.flush();
    }

    private void report(PrintWriter out, int size, long ns) {
        double us = Math.max(1, ns) / 1e3;
        long all = 2L * size * iterations;
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
}
