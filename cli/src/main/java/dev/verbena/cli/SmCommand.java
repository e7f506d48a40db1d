package dev.verbena.cli;

import dev.verbena.cli.ibsim.DevicePort;
import dev.verbena.cli.ibsim.HangUp;
import dev.verbena.cli.ibsim.IbsimPort;
import dev.verbena.cli.ibsim.ManagementLink;
import dev.verbena.cli.ibsim.ManagerMetrics;
import dev.verbena.cli.ibsim.PartitionWatch;
import dev.verbena.cli.ibsim.SmClient;
import dev.verbena.cli.ibsim.SubnetFiles;
import dev.verbena.cli.metrics.MetricTarget;
import dev.verbena.subnet.FatTreeEngine;
import dev.verbena.subnet.LayeredEngine;
import dev.verbena.subnet.ManagerRole;
import dev.verbena.subnet.ManagerSettings;
import dev.verbena.subnet.MinHopEngine;
import dev.verbena.subnet.PrefixRoute;
import dev.verbena.subnet.RouteRunner;
import dev.verbena.subnet.RoutingEngine;
import dev.verbena.subnet.RoutingReport;
import dev.verbena.subnet.SubnetManager;
import dev.verbena.subnet.SweepReport;
import dev.verbena.subnet.UpDownEngine;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// `verbena sm`: a subnet manager on a simulated subnet.
@Command(
        name = "sm",
        description = {
            "Manages an InfiniBand subnet: a simulated one, of verbena ibsim or ibsim -r, or that"
                + " of a port of this machine. Finds nodes, gives LIDs, writes routes, makes ports"
                + " active, and follows changes.",
            "Prints a line when the subnet is up, and after each change."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {"  verbena ibsim --hosts 128 --radix 16", "  verbena sm --once"})
final class SmCommand implements Callable<Integer> {
    private static final double NS_PER_MS = 1e6;
    private static final long ROUTES_BYTES_MAX = 1 << 16;
    private static final RouteRunner PARALLEL =
            (tasks, task) -> IntStream.range(0, tasks).parallel().forEach(task);

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "UDP port of the server on the loopback address (7070).")
    private int port = 7070;

    @Option(
            names = "--node",
            paramLabel = "NAME",
            description = "Node at which it attaches (the first).")
    private String node = "";

    @Option(
            names = "--device",
            paramLabel = "NAME[:PORT]",
            description =
                    "A port of this machine instead of a server, by libibumad; not tried with"
                            + " hardware.")
    private Optional<String> device = Optional.empty();

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Routing engines in order of preference: fat-tree, up-down, min-hop, layered"
                            + " (fat-tree,up-down).")
    private List<String> engines = List.of("fat-tree", "up-down");

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "Requests in flight, 1 to 256 (32).")
    private int window = 32;

    @Option(
            names = "--priority",
            paramLabel = "N",
            description =
                    "Priority among managers, 0 to 15 (0): the highest is master, of equal ones"
                            + " that with the lowest GUID.")
    private int priority;

    @Option(
            names = "--lanes",
            paramLabel = "N",
            description =
                    "Spreads service levels over up to N virtual lanes, 1 to 15 (all that links"
                            + " have for layered, else tables stay as they are).")
    private Optional<Integer> lanes = Optional.empty();

    @Option(
            names = "--lmc",
            paramLabel = "BITS",
            description = "Gives each host port 2 to the power of BITS LIDs, 0 to 7 (0).")
    private int lmc;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            description = "Prefix of the subnet's GIDs (0xfe80000000000000).")
    private Optional<String> prefix = Optional.empty();

    @Option(
            names = "--prefix-routes",
            paramLabel = "FILE",
            description =
                    "Routers to other subnets: in each line a prefix and the GUID of a router's"
                            + " port, * for any.")
    private Optional<Path> prefixRoutes = Optional.empty();

    @Option(
            names = "--partitions",
            paramLabel = "FILE",
            description =
                    "Partitions in the format of OpenSM's partitions.conf; read again when it"
                            + " changes, and at SIGHUP.")
    private Optional<Path> partitions = Optional.empty();

    @Option(
            names = "--dump",
            paramLabel = "DIR",
            description =
                    "Directory for files as OpenSM writes them: opensm-subnet.lst,"
                            + " opensm-lfts.dump, opensm.fdbs, opensm.mcfdbs; after each change.")
    private Optional<Path> dump = Optional.empty();

    @Option(names = "--metrics", paramLabel = "PORT|FILE", description = MetricTarget.HELP)
    private Optional<String> metrics = Optional.empty();

    @Option(
            names = "--once",
            description = "Ends when the subnet is up, or with 1 if another manager is master.")
    private boolean isOnce;

    private boolean isRefused;
    private Optional<SubnetFiles> files = Optional.empty();
    private String lastState = "";
    private ManagerRole lastRole = ManagerRole.DISCOVERING;

    /// Made by picocli.
    SmCommand() {}

    @Override
    public Integer call() throws IOException {
        try {
            ManagerSettings settings =
                    ManagerSettings.DEFAULT
                            .withWindow(window)
                            .withPriority(priority)
                            .withLanes(chosenLanes())
                            .withLmc(lmc)
                            .withPrefix(chosenPrefix())
                            .withRoutes(chosenRoutes())
                            .withEngines(chosen().toArray(RoutingEngine[]::new));
            InetSocketAddress server =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            PrintWriter err = spec.commandLine().getErr();
            try (ManagerMetrics figures = new ManagerMetrics(MetricTarget.open(metrics, err))) {
                SubnetManager manager = new SubnetManager(settings, figures.timed(PARALLEL));
                Optional<PartitionWatch> watch = Optional.empty();
                if (partitions.isPresent()) {
                    watch = Optional.of(new PartitionWatch(partitions.get(), manager, err));
                }
                if (dump.isPresent()) {
                    files = Optional.of(new SubnetFiles(dump.get(), err));
                }
                try (SmClient client = new SmClient(port(server), manager)) {
                    watch.ifPresent(it -> follow(it, client));
                    client.everyTurn(() -> figures.look(Optional.of(manager)));
                    client.everyTurn(() -> tellRole(manager));
                    client.run(
                            isOnce,
                            report -> {
                                figures.report(report);
                                tell(report, manager);
                            });
                }
                tellRole(manager);
                figures.look(Optional.of(manager));
            }
            return isRefused ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
        } catch (IllegalArgumentException wrong) {
            throw new CommandLine.ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        }
    }

    /// SIGHUP without a file of partitions ends the program, as it does others.
    private static void follow(PartitionWatch watch, SmClient client) {
        client.everyTurn(watch::look);
        HangUp.handle(
                () -> {
                    watch.reload();
                    client.wakeUp();
                });
    }

    private void tellRole(SubnetManager manager) {
        ManagerRole role = manager.role();
        if (role != lastRole && role == ManagerRole.STANDBY) {
            PrintWriter out = spec.commandLine().getOut();
            out.println("stands by: another manager is master");
            out.flush();
            isRefused |= isOnce;
            // What it finds when it is master again is news.
            lastState = "";
        }
        lastRole = role;
    }

    private void tell(SweepReport report, SubnetManager manager) {
        isRefused = report.routing().isRefused();
        if (isNews(report)) {
            PrintWriter out = spec.commandLine().getOut();
            out.println(text(report));
            out.flush();
            files.ifPresent(it -> it.write(manager));
        }
    }

    private ManagementLink port(InetSocketAddress server) throws IOException {
        if (device.isEmpty()) {
            return new IbsimPort(server, node, true);
        }
        String[] parts = device.get().split(":", -1);
        boolean hasPort = parts.length == 2 && parts[1].matches("[1-9][0-9]{0,2}");
        if (parts[0].isEmpty() || (parts.length > 1 && !hasPort)) {
            throw new IllegalArgumentException(
                    "--device %s: use NAME or NAME:PORT, such as mlx5_0:1".formatted(device.get()));
        }
        return new DevicePort(parts[0], hasPort ? Integer.parseInt(parts[1]) : 1);
    }

    private long chosenPrefix() {
        String text = prefix.orElse("0x%x".formatted(ManagerSettings.DEFAULT_PREFIX));
        if (!text.matches("0x[0-9a-fA-F]{1,16}")) {
            throw new IllegalArgumentException(
                    "--prefix %s: use a number such as 0xfec0000000000001".formatted(text));
        }
        return Long.parseUnsignedLong(text.substring(2), 16);
    }

    private List<PrefixRoute> chosenRoutes() throws IOException {
        if (prefixRoutes.isEmpty()) {
            return List.of();
        }
        Path file = prefixRoutes.get();
        if (!Files.isRegularFile(file) || Files.size(file) > ROUTES_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "--prefix-routes %s: use a file of up to 64 KiB".formatted(file));
        }
        try {
            return PrefixRoute.parse(Files.readString(file));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "--prefix-routes %s: %s".formatted(file, wrong.getMessage()), wrong);
        }
    }

    private int chosenLanes() {
        int count = lanes.orElse(1);
        if (count < 1 || count > 15) {
            throw new IllegalArgumentException("--lanes %d: use 1 to 15".formatted(count));
        }
        return lanes.orElse(0);
    }

    private List<RoutingEngine> chosen() {
        List<RoutingEngine> found = new ArrayList<>();
        for (String name : engines) {
            found.add(
                    switch (name) {
                        case "fat-tree" -> new FatTreeEngine();
                        case "up-down" -> new UpDownEngine();
                        case "min-hop" -> new MinHopEngine();
                        case "layered" -> new LayeredEngine();
                        default ->
                                throw new IllegalArgumentException(
                                        "--engine %s: use fat-tree, up-down, min-hop or layered"
                                                .formatted(name));
                    });
        }
        return found;
    }

    /// Most looks at the switches find nothing new.
    private boolean isNews(SweepReport report) {
        String state = state(report);
        boolean isNews = report.blocks() > 0 || report.failures() > 0 || !state.equals(lastState);
        lastState = state;
        return isNews;
    }

    private static String state(SweepReport report) {
        RoutingReport routing = report.routing();
        String refusals = String.join("; ", routing.refusals());
        if (routing.isRefused()) {
            return "subnet is not up: " + refusals;
        }
        return String.format(
                Locale.ROOT,
                "subnet up: %,d hosts, %,d switches, %,d links; %s%s%s",
                report.hosts(),
                report.switches(),
                report.links(),
                routing.engine(),
                routing.lanes() == 1 ? "" : " in %d lanes".formatted(routing.lanes()),
                refusals.isEmpty() ? "" : " (" + refusals + ")");
    }

    private static String text(SweepReport report) {
        return String.format(
                Locale.ROOT,
                "%s%n  %,d requests, %,d sent again, %,d failed; %,d blocks written; %,.1f ms",
                state(report),
                report.requests(),
                report.retries(),
                report.failures(),
                report.blocks(),
                (report.endNs() - report.startNs()) / NS_PER_MS);
    }
}
