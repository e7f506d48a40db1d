package dev.verbena.cli;

import dev.verbena.cli.ibsim.PartitionWatch;
import dev.verbena.cli.ibsim.SmClient;
import dev.verbena.subnet.FatTreeEngine;
import dev.verbena.subnet.ManagerSettings;
import dev.verbena.subnet.MinHopEngine;
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
            "Manages a simulated InfiniBand subnet: verbena ibsim, or ibsim -r. Finds nodes, gives"
                    + " LIDs, writes routes, makes ports active, and follows changes.",
            "Prints a line when the subnet is up, and after each change."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {"  verbena ibsim --hosts 128 --radix 16", "  verbena sm --once"})
final class SmCommand implements Callable<Integer> {
    private static final double NS_PER_MS = 1e6;
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
            names = "--engine",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Routing engines in order of preference: fat-tree, up-down, min-hop"
                            + " (fat-tree,up-down).")
    private List<String> engines = List.of("fat-tree", "up-down");

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "Requests in flight, 1 to 256 (32).")
    private int window = 32;

    @Option(
            names = "--partitions",
            paramLabel = "FILE",
            description =
                    "Partitions in the format of OpenSM's partitions.conf; read again when it"
                            + " changes.")
    private Optional<Path> partitions = Optional.empty();

    @Option(names = "--once", description = "Ends when the subnet is up.")
    private boolean isOnce;

    private boolean isRefused;
    private String lastState = "";

    /// Made by picocli.
    SmCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            ManagerSettings settings =
                    ManagerSettings.DEFAULT
                            .withWindow(window)
                            .withEngines(chosen().toArray(RoutingEngine[]::new));
            InetSocketAddress server =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            SubnetManager manager = new SubnetManager(settings, PARALLEL);
            Optional<PartitionWatch> watch = Optional.empty();
            if (partitions.isPresent()) {
                PrintWriter err = spec.commandLine().getErr();
                watch = Optional.of(new PartitionWatch(partitions.get(), manager, err));
            }
            try (SmClient client = new SmClient(server, node, manager)) {
                watch.ifPresent(client::watch);
                client.run(
                        isOnce,
                        report -> {
                            isRefused = report.routing().isRefused();
                            if (isNews(report)) {
                                out.println(text(report));
                                out.flush();
                            }
                        });
            }
            return isRefused ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
        } catch (IllegalArgumentException wrong) {
            throw new CommandLine.ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        }
    }

    private List<RoutingEngine> chosen() {
        List<RoutingEngine> found = new ArrayList<>();
        for (String name : engines) {
            found.add(
                    switch (name) {
                        case "fat-tree" -> new FatTreeEngine();
                        case "up-down" -> new UpDownEngine();
                        case "min-hop" -> new MinHopEngine();
                        default ->
                                throw new IllegalArgumentException(
                                        "--engine %s: use fat-tree, up-down or min-hop"
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
                "subnet up: %,d hosts, %,d switches, %,d links; %s%s",
                report.hosts(),
                report.switches(),
                report.links(),
                routing.engine(),
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
