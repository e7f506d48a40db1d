package dev.verbena.cli;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// `verbena rping`: connects by rdma_cm's protocol and moves data, with librdmacm's `rping` or
/// another of itself.
@Command(
        name = "rping",
        description = {
            "Connects with the protocol of rdma_cm, and transfers data by READ, WRITE and SEND.",
            "The peer, client or server, may be rping of librdmacm."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena rping -s -a 192.0.2.10               and on the other machine",
            "  rping -c -a 192.0.2.10 -C 10 -V"
        })
final class RpingCommand implements Callable<Integer> {
    private static final int SERVED = 1;
    private static final int BYTES_MAX = 1 << 30;

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @ArgGroup(multiplicity = "1")
    private Role role = new Role();

    /// Which side this is.
    static final class Role {
        @Option(names = "-s", description = "Runs as the server.")
        private boolean isServer;

        @Option(names = "-c", description = "Runs as the client.")
        private boolean isClient;
    }

    @Option(
            names = "-a",
            required = true,
            paramLabel = "ADDRESS",
            description = "Address of the server.")
    private String address = "";

    @Mixin private DeviceFlags device = new DeviceFlags();

    @Option(names = "-p", paramLabel = "PORT", description = "Port of the service (7174).")
    private int port = 7174;

    @Option(
            names = "-C",
            paramLabel = "COUNT",
            description =
                    "Rounds of a client (1); a server runs until its client " + "disconnects.")
    private int rounds = 1;

    @Option(
            names = "-S",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Data size (64); the same on both sides.")
    private long bytes = 64;

    @Option(names = "-v", description = "Prints the data.")
    private boolean isVerbose;

    @Option(names = "-V", description = "Checks the data.")
    private boolean isChecked;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = "Time to wait for the other side, in seconds (30).")
    private int waitSeconds = 30;

    // Not the standard mixin: its -V is the version, and picocli then drops the whole mixin.
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    boolean isHelp;

    /// Made by picocli.
    RpingCommand() {}

    @Override
    public Integer call() {
        try {
            check();
            if (role.isServer) {
                serve();
            }
            if (role.isClient) {
                ask();
            }
            return CommandLine.ExitCode.OK;
        } catch (UsageException wrong) {
            throw new CommandLine.ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        } catch (PerfException | VerbsException | IOException failed) {
            spec.commandLine().getOut().flush();
            spec.commandLine().getErr().println("verbena rping: " + failed.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private void check() {
        if (bytes < 1 || bytes > BYTES_MAX) {
            throw new UsageException(
                    "-S %d: out of range; use 1 to %d".formatted(bytes, BYTES_MAX));
        }
        if (rounds < 1) {
            throw new UsageException("-C %d: at least 1".formatted(rounds));
        }
    }

    private Duration limit() {
        return Duration.ofSeconds(waitSeconds);
    }

    private void serve() throws IOException {
        InetAddress here = DeviceFlags.address("-a", address);
        try (Device opened = Devices.open(device.uri(here));
                Listener listener = opened.listen(port, SERVED)) {
            ConnectionRequest request = listener.await(limit());
            if (request == null) {
                throw new PerfException(
                        "%s port %d: no client within %d s".formatted(address, port, waitSeconds));
            }
            RpingRun run = new RpingRun(opened, (int) bytes, limit());
            try (Connection connection = request.accept(run.pair())) {
                connect(connection);
                int served = run.serve(connection, this::show);
                done("served", served);
            }
        }
    }

    private void ask() throws IOException {
        InetAddress there = DeviceFlags.address("-a", address);
        try (Device opened = Devices.open(device.uri(sourceTo(there)))) {
            RpingRun run = new RpingRun(opened, (int) bytes, limit());
            Address way = Address.to(Gid.of(there));
            try (Connection connection = opened.connect(run.pair(), way, port)) {
                connect(connection);
                run.ask(rounds, isChecked, this::show);
                done("done", rounds);
            }
        }
    }

    private void connect(Connection connection) throws IOException {
        if (!connection.await(limit())) {
            throw new PerfException(
                    "%s: not connected within %d s".formatted(connection, waitSeconds));
        }
    }

    private void show(String data) {
        if (isVerbose) {
            PrintWriter out = spec.commandLine().getOut();
            out.printf("%s ping data: %s%n", role.isServer ? "server" : "client", data);
            out.flush();
        }
    }

    private void done(String what, int count) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%d pings of %d bytes %s%n", count, bytes, what);
        out.flush();
    }

    /// Our address on the way there; nothing is sent.
    private static InetAddress sourceTo(InetAddress there) throws IOException {
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(new InetSocketAddress(there, Address.ROCE_PORT));
            return probe.getLocalAddress();
        }
    }
}
