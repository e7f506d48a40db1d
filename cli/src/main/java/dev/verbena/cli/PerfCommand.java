package dev.verbena.cli;

import dev.verbena.cli.metrics.Figures;
import dev.verbena.cli.metrics.MetricTarget;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `verbena perf`: bandwidth and latency between two processes, with perftest's flags and tables.
@Command(
        name = "perf",
        description = {
            "Measures bandwidth or latency between two processes, with perftest's flags and"
                    + " tables.",
            "Without HOST it is the server and waits; with HOST it is the client and measures."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena perf write bw                         on one machine, then on another",
            "  verbena perf write bw 192.0.2.10",
            "  verbena perf write lat -s 8 --loopback",
            "  verbena perf send bw -a --report_gbits --loopback",
            "  verbena perf write bw --perftest 192.0.2.10   ib_write_bw is the server"
        })
final class PerfCommand implements Callable<Integer> {
    private static final int PORT = 18515;
    private static final long START_LIMIT_NS = 30_000_000_000L;
    private static final String LISTENING = " Listening on port ";

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "write|read|send|atomic",
            description = "Operation to measure.")
    private PerfVerb verb = PerfVerb.WRITE;

    @Parameters(index = "1", paramLabel = "bw|lat", description = "bw: bandwidth; lat: latency.")
    private PerfKind kind = PerfKind.BW;

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "HOST",
            description = "Address of the server; without it, this side is the server.")
    private @Nullable String host;

    @Mixin private PerfFlags flags = new PerfFlags();
    @Mixin private DeviceFlags device = new DeviceFlags();

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description =
                    "TCP port of the control connection (18515); 0 on a server " + "takes any.")
    private int port = PORT;

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
            names = "--loopback",
            description =
                    "Starts the server as a second process on this machine, " + "and measures.")
    private boolean loopback;

    @Option(
            names = "--perftest",
            description =
                    "The peer is a perftest program, such as ib_write_bw; each "
                            + "side has its own -s and -n.")
    private boolean perftest;

    @Option(names = "--report_gbits", description = "Reports Gb/sec instead of MiB/sec.")
    private boolean gigabits;

    @Option(
            names = {"-U", "--report-unsorted"},
            description = "Also prints every latency, in the order of time.")
    private boolean unsorted;

    @Option(
            names = {"-H", "--report-histogram"},
            description = "Also prints every latency, sorted.")
    private boolean sorted;

    @Option(
            names = "--json",
            description =
                    "Prints JSON with perftest's keys instead of the table, in "
                            + "Gb/sec and usec.")
    private boolean json;

    @Option(names = "--out_json", description = "Also writes this JSON to perftest_out.json.")
    private boolean jsonFile;

    @Option(
            names = "--out_json_file",
            paramLabel = "FILE",
            description = "Also writes this JSON to a file.")
    private @Nullable Path jsonPath;

    @Option(names = "--metrics", paramLabel = "PORT|FILE", description = MetricTarget.HELP)
    private Optional<String> metrics = Optional.empty();

    /// Made by picocli.
    PerfCommand() {}

    @Override
    public Integer call() {
        try {
            PerfOptions options = flags.resolve(verb, kind, device.isCaller());
            if (loopback && perftest) {
                throw new UsageException(
                        "--loopback: it starts verbena as the other side; leave --perftest out");
            }
            if (loopback) {
                runBoth(options);
            } else if (host == null) {
                serve(options);
            } else {
                client(options, new InetSocketAddress(host, port), address(bind));
            }
            return CommandLine.ExitCode.OK;
        } catch (UsageException wrong) {
            throw new CommandLine.ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        } catch (PerfException | VerbsException | IOException | UncheckedIOException failed) {
            spec.commandLine().getOut().flush();
            spec.commandLine().getErr().println("verbena perf: " + failed.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private void client(
            PerfOptions options, InetSocketAddress server, @Nullable InetSocketAddress from)
            throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        List<PerfReport> reports = new ArrayList<>();
        reports.add(json ? new PerfJson(out) : new PerfTable(out, gigabits));
        PerfClient.Samples samples =
                unsorted
                        ? PerfClient.Samples.UNSORTED
                        : sorted ? PerfClient.Samples.SORTED : PerfClient.Samples.NONE;
        Path file = jsonPath != null ? jsonPath : jsonFile ? Path.of("perftest_out.json") : null;
        try (Figures figures = figures()) {
            reports.add(new PerfFigures(figures));
            if (file == null) {
                run(options, samples, reports, server, from);
                return;
            }
            try (var writer = Files.newBufferedWriter(file)) {
                reports.add(new PerfJson(writer));
                run(options, samples, reports, server, from);
            }
        }
    }

    private Figures figures() throws IOException {
        try {
            return Figures.open(metrics, spec.commandLine().getErr());
        } catch (IllegalArgumentException wrong) {
            throw new UsageException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private void run(
            PerfOptions options,
            PerfClient.Samples samples,
            List<PerfReport> reports,
            InetSocketAddress server,
            @Nullable InetSocketAddress from)
            throws IOException {
        List<Integer> sizes = flags.sizes(verb, kind);
        PerfReport report = PerfReport.all(reports);
        if (perftest) {
            new PerftestRun(options, device, sizes, samples, gigabits, report)
                    .connect(server, from);
        } else {
            new PerfClient(options, device, sizes, samples, report).run(server, from);
        }
    }

    private void serve(PerfOptions options) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PerfReport table = json ? new PerfJson(out) : new PerfTable(out, gigabits);
        try (Figures figures = figures()) {
            serve(options, PerfReport.all(List.of(table, new PerfFigures(figures))), out);
        }
    }

    private void serve(PerfOptions options, PerfReport report, PrintWriter out) throws IOException {
        InetSocketAddress at = address(bind);
        at = new InetSocketAddress(at == null ? null : at.getAddress(), port);
        IntConsumer listening =
                it -> {
                    if (!json) {
                        waiting(out, it);
                    }
                };
        int waitMs = waitSeconds * 1000;
        if (perftest) {
            List<Integer> sizes = flags.sizes(verb, kind);
            new PerftestRun(options, device, sizes, PerfClient.Samples.NONE, gigabits, report)
                    .serve(at, waitMs, listening);
        } else {
            new PerfServer(verb, kind, device, waitMs, report).run(at, listening);
        }
    }

    private void waiting(PrintWriter out, int listening) {
        out.print("\n************************************\n");
        out.print("* Waiting for client to connect... *\n");
        out.print("************************************\n");
        if (port == 0) {
            out.print(LISTENING + listening + "\n");
        }
        out.flush();
    }

    /// Both sides here: on two addresses of the loopback network, as if they were two machines.
    private void runBoth(PerfOptions options) throws IOException {
        InetAddress there = loopbackAddress();
        List<String> words = new ArrayList<>();
        words.add("perf");
        words.add(verb.toString().toLowerCase(Locale.ROOT));
        words.add(kind.toString().toLowerCase(Locale.ROOT));
        words.addAll(List.of("-p", "0", "--bind", there.getHostAddress(), "--wait", "30"));
        words.addAll(device.words());
        try (PerfProcess second = new PerfProcess(words)) {
            int at = Integer.parseInt(second.await(LISTENING, START_LIMIT_NS));
            try {
                client(
                        options,
                        new InetSocketAddress(there, at),
                        new InetSocketAddress(loopbackAddress(), 0));
            } catch (PerfException failed) {
                throw new PerfException(
                        failed.getMessage() + "\nThe second process said:\n" + second.output(),
                        failed);
            }
        }
    }

    /// Linux has all of 127.0.0.0/8, so that two sides, and two tests at once, do not meet.
    private static InetAddress loopbackAddress() throws IOException {
        if (!System.getProperty("os.name").equals("Linux")) {
            return InetAddress.ofLiteral("127.0.0.1");
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return InetAddress.getByAddress(
                new byte[] {
                    127,
                    (byte) random.nextInt(1, 255),
                    (byte) random.nextInt(0, 256),
                    (byte) random.nextInt(1, 255)
                });
    }

    private static @Nullable InetSocketAddress address(@Nullable String text) {
        if (text == null) {
            return null;
        }
        return new InetSocketAddress(DeviceFlags.address("--bind", text), 0);
    }
}
