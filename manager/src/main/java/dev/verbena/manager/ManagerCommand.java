package dev.verbena.manager;

import dev.verbena.cli.ibsim.IbsimPort;
import dev.verbena.cli.ibsim.ManagerMetrics;
import dev.verbena.cli.metrics.MetricTarget;
import dev.verbena.cli.metrics.MetricText;
import dev.verbena.subnet.FatTreeEngine;
import dev.verbena.subnet.ManagerSettings;
import dev.verbena.subnet.MinHopEngine;
import dev.verbena.subnet.RouteRunner;
import dev.verbena.subnet.RoutingReport;
import dev.verbena.subnet.SubnetManager;
import dev.verbena.subnet.SweepReport;
import dev.verbena.subnet.UpDownEngine;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// `verbena-manager`: one of several subnet managers of a simulated subnet.
@Command(
        name = "verbena-manager",
        description = {
            "Manages a simulated InfiniBand subnet (verbena ibsim) together with other managers:"
                    + " one leads, and another one takes over when it fails.",
            "LIDs, groups, services and subscriptions are kept by all of them."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExample, on one machine:%n",
        footer = {
            "  verbena ibsim --hosts 128 --radix 16",
            "  M=a=127.0.0.1:7201,b=127.0.0.1:7202,c=127.0.0.1:7203",
            "  verbena-manager --managers $M --id a --store a --node 'host 0'"
        })
final class ManagerCommand implements Callable<Integer> {
    private static final double NS_PER_MS = 1e6;
    private static final RouteRunner PARALLEL =
            (tasks, task) -> IntStream.range(0, tasks).parallel().forEach(task);

    /// Held, since loggers that are not lose their level.
    private static final Logger RATIS = Logger.getLogger("org.apache.ratis");

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--managers",
            required = true,
            paramLabel = "ID=HOST:PORT,…",
            description = "All managers, and where they reach each other by TCP: the same for all.")
    private String managers = "";

    @Option(names = "--id", required = true, paramLabel = "ID", description = "This manager.")
    private String id = "";

    @Option(
            names = "--store",
            required = true,
            paramLabel = "DIR",
            description = "Directory for this manager's copy of the state.")
    private Path store = Path.of("");

    @Option(
            names = "--listen",
            paramLabel = "PORT",
            description = "TCP port at which it listens, if not the one that others know.")
    private int listen;

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
            names = "--priority",
            paramLabel = "N",
            description = "Priority that SMInfo shows, 0 to 15 (0).")
    private int priority;

    @Option(
            names = "--timeout",
            paramLabel = "MS",
            description = "Silence of the leader after which another is elected, at least (400).")
    private int timeoutMs = 400;

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "Requests in flight, 1 to 256 (32).")
    private int window = 32;

    @Option(names = "--metrics", paramLabel = "PORT|FILE", description = MetricTarget.HELP)
    private Optional<String> metrics = Optional.empty();

    /// Made by picocli.
    ManagerCommand() {}

    /// Runs the command and ends with its exit status.
    public static void main(String[] arguments) {
        // Ratis says much of what is no concern of an operator.
        RATIS.setLevel(Level.SEVERE);
        System.exit(new CommandLine(new ManagerCommand()).execute(arguments));
    }

    @Override
    public Integer call() {
        try {
            if (timeoutMs < 50 || timeoutMs > 60_000) {
                throw new IllegalArgumentException(
                        "--timeout %d: use 50 to 60000".formatted(timeoutMs));
            }
            List<Member> members = Member.parse(managers);
            ManagerSettings settings =
                    ManagerSettings.DEFAULT
                            .withEngines(
                                    new FatTreeEngine(), new UpDownEngine(), new MinHopEngine())
                            .withWindow(window)
                            .withPriority(priority);
            InetSocketAddress server =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            Practice.run(settings, PARALLEL);
            AtomicReference<Runnable> news = new AtomicReference<>(() -> {});
            PrintWriter err = spec.commandLine().getErr();
            try (ManagerMetrics figures = new ManagerMetrics(MetricTarget.open(metrics, err));
                    IbsimPort attached = new IbsimPort(server, node, true);
                    Replica replica =
                            new Replica(
                                    members, id, listen, store, timeoutMs, () -> news.get().run());
                    ManagerRun run =
                            new ManagerRun(
                                    replica,
                                    attached,
                                    settings,
                                    figures.timed(PARALLEL),
                                    new Lines(figures))) {
                news.set(attached::wakeUp);
                replica.start();
                run.run();
            }
            return CommandLine.ExitCode.OK;
        } catch (IOException failed) {
            spec.commandLine().getErr().println("manager " + id + ": " + failed.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        } catch (IllegalArgumentException wrong) {
            throw new CommandLine.ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        }
    }

    /// A line for each thing that happens.
    private final class Lines implements ManagerRun.Listener {
        private final PrintWriter out = spec.commandLine().getOut();
        private final ManagerMetrics figures;
        private boolean isLeading;
        private long term;
        private long terms;
        private long heldBack;

        Lines(ManagerMetrics figures) {
            this.figures = figures;
            figures.more(this::write);
        }

        private void write(MetricText text) {
            text.gauge("verbena_manager_leader", "1 if this manager leads.")
                    .sample(isLeading ? 1 : 0, "id", id)
                    .gauge("verbena_manager_term", "The last term that this manager led; 0: none.")
                    .sample(term, "id", id)
                    .counter("verbena_manager_terms_total", "Terms that this manager began.")
                    .sample(terms, "id", id)
                    .counter(
                            "verbena_manager_held_back_total",
                            "Datagrams that were not sent, since the lease had ended.")
                    .sample(heldBack, "id", id);
        }

        private void say(String what) {
            out.println("manager " + id + ": " + what);
            out.flush();
        }

        @Override
        public void waits(String why) {
            isLeading = false;
            say("waits: " + why);
        }

        @Override
        public void leads(long term) {
            isLeading = true;
            this.term = term;
            terms++;
            say("leads, term " + term);
        }

        @Override
        public void turns(Optional<SubnetManager> manager, long heldBackSoFar) {
            heldBack = heldBackSoFar;
            figures.look(manager);
        }

        @Override
        public void reports(long term, SweepReport report) {
            figures.report(report);
            RoutingReport routing = report.routing();
            if (routing.isRefused()) {
                say("subnet is not up: " + String.join("; ", routing.refusals()));
                return;
            }
            say(
                    String.format(
                            Locale.ROOT,
                            "subnet up, term %d: %,d hosts, %,d switches, %,d links; %s; %,d"
                                    + " requests, %,d failed; %,d blocks written; %,.1f ms",
                            term,
                            report.hosts(),
                            report.switches(),
                            report.links(),
                            routing.engine(),
                            report.requests(),
                            report.failures(),
                            report.blocks(),
                            (report.endNs() - report.startNs()) / NS_PER_MS));
        }
    }
}
