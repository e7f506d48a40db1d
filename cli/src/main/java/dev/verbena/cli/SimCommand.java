package dev.verbena.cli;

import dev.verbena.cli.metrics.FabricFigures;
import dev.verbena.cli.metrics.Figures;
import dev.verbena.cli.metrics.MetricTarget;
import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.Flow;
import dev.verbena.fabric.FlowFile;
import dev.verbena.fabric.MixRun;
import dev.verbena.fabric.Netfile;
import dev.verbena.fabric.Patterns;
import dev.verbena.fabric.Topology;
import dev.verbena.fabric.Workload;
import dev.verbena.transport.control.ControlFacts;
import dev.verbena.verbs.InvalidRequestException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// `verbena sim`: simulates flows on a fabric.
@Command(
        name = "sim",
        description = "Simulates messages on an InfiniBand or RoCE fabric, packet by packet.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena sim --hosts 1024 --pattern permutation --size 1M",
            "  verbena sim --pattern incast --senders 32 --size 1M --xoff 500K",
            "  verbena sim --fabric ib --tiers 3 --radix 16 --flows my.cm --json",
            "  verbena sim --hosts 32 --fault an-uplink=slow --picture slow.svg"
        })
final class SimCommand implements Callable<Integer> {
    private static final int WINDOW_PACKETS = 1 << 20;
    static final int SENDERS = 32;
    private static final double PS_PER_NS = 1000;
    private static final double JITTER_MAX_NS = 1e12;
    private static final long LIMIT_MAX_US = 1_000_000_000_000L;
    private static final double EVERY_MIN_US = 0.001;

    /// Traffic patterns.
    enum Pattern {
        PERMUTATION,
        INCAST,
        ALLTOALL,
        SHIFT
    }

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--pattern",
            paramLabel = "NAME",
            description =
                    "Traffic pattern: permutation, incast, alltoall or shift " + "(permutation).")
    private Pattern pattern = Pattern.PERMUTATION;

    @Option(
            names = "--flows",
            paramLabel = "FILE",
            description = "Reads the flows from a file in htsim's form, instead of a " + "pattern.")
    private @Nullable Path flowFile;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Message size (1M).")
    private long bytes = 1 << 20;

    @Option(
            names = "--senders",
            paramLabel = "N",
            description = "incast: number of senders (32, or all other hosts if they are fewer).")
    private @Nullable Integer senders;

    @Option(
            names = "--by",
            paramLabel = "N",
            description =
                    "shift: distance from sender to receiver, in hosts (half " + "of the hosts).")
    private int by;

    @Option(
            names = "--jitter",
            paramLabel = "NS",
            description =
                    "Patterns and workloads: every host starts at a time of its own from 0 to NS"
                        + " nanoseconds, chosen by the seed (time of one full packet on a link).")
    private @Nullable Double jitterNs;

    @Option(
            names = "--ack-every",
            paramLabel = "PACKETS",
            description = "Packets of a message per acknowledgement (64).")
    private int ackEvery = 64;

    @Option(
            names = "--limit",
            paramLabel = "US",
            description = "Simulated time at which the run ends, in microseconds " + "(1000000).")
    private long limitUs = 1_000_000;

    @Option(
            names = "--pcap",
            paramLabel = "HOST=FILE",
            description =
                    "Writes a capture of the link between a host and its "
                            + "switch: Ethernet frames on RoCE, ERF records on "
                            + "InfiniBand.")
    private Map<Integer, Path> captures = new TreeMap<>();

    @Option(
            names = "--counters",
            paramLabel = "NODE",
            description = "Prints the port counters of a host or switch, such as " + "leaf-0.")
    private List<String> counted = List.of();

    @Option(
            names = "--series",
            paramLabel = "NODE=FILE",
            description =
                    "Writes the port counters of a host or switch over time, "
                            + "as comma-separated values.")
    private Map<String, Path> series = new TreeMap<>();

    @Option(
            names = "--every",
            paramLabel = "US",
            description = "Simulated time between rows of --series, in microseconds " + "(10).")
    private double everyUs = 10;

    @Option(
            names = "--write-topology",
            paramLabel = "FILE",
            description = "Writes the fabric to a file that ibsim reads.")
    private @Nullable Path topologyFile;

    @Option(names = "--json", description = "Prints the result as one JSON object.")
    private boolean json;

    @Option(names = "--metrics", paramLabel = "PORT|FILE", description = MetricTarget.HELP)
    private Optional<String> metrics = Optional.empty();

    @ArgGroup(exclusive = false)
    private SimMixFlags mix = new SimMixFlags();

    @ArgGroup(exclusive = false, heading = "%nFabric:%n")
    private SimFlags flags = new SimFlags();

    /// Made by picocli.
    SimCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            SimRefusals refusals = new SimRefusals(spec.commandLine().getParseResult());
            refusals.check(flags, pattern);
            refusals.numbers(flags, by, ackEvery);
            requireTimes();
            Topology topology = flags.topology();
            refusals.check(topology);
            if (topologyFile != null) {
                Files.writeString(topologyFile, Netfile.print(topology));
            }
            int hosts = topology.hosts();
            List<Workload> read = mix.workloads(hosts, flags.seed);
            flags.classes(read);
            FabricSettings settings = flags.settings(topology);
            List<Workload> given = read.stream().map(it -> jittered(it, settings)).toList();
            List<CableFault> faults = mix.faults(topology, flags.seed);
            List<Workload> workloads = given.isEmpty() ? List.of(only(hosts, settings)) : given;
            MixRun run = start(topology, settings, workloads, MixRun.ALL, faults);
            Fabric fabric = run.fabric();
            // Before the run: a wrong name is a usage error, and the run may take long.
            counted.forEach(fabric::counters);
            flags.warning(settings).ifPresent(this::warn);
            SimLoop loop = new SimLoop(spec.commandLine().getErr(), limitUs * 1_000_000);
            SimHistory history = new SimHistory(run);
            PrintWriter err = spec.commandLine().getErr();
            try (Figures figures = Figures.open(metrics, err);
                    SimCaptures kept = new SimCaptures(fabric, hosts, captures);
                    SimSeries grown = new SimSeries(fabric, series)) {
                long everyPs = Math.max(1, Math.round(everyUs * 1e6));
                loop.run(
                        run,
                        "",
                        () -> grown.isEmpty() ? history.stepPs() : everyPs,
                        () -> {
                            grown.sample(fabric.nowPs());
                            history.look();
                            figures.look(it -> new FabricFigures(fabric).write(it));
                        });
                figures.show(it -> new FabricFigures(fabric).write(it));
                history.end();
                grown.end(fabric.nowPs());
                kept.flush();
            }
            List<long[]> alone = new ArrayList<>();
            for (int i = 0; i < given.size(); i++) {
                MixRun lonely = start(topology, settings, given, i, List.of());
                loop.run(lonely, given.get(i).name() + " alone: ");
                alone.add(lonely.timesPs(i));
            }
            SimResult result = new SimResult(run, alone, history, mix.faultTexts(), counted);
            mix.draw(result.title(flags, title(workloads)), run, result, faults);
            out.print(json ? result.json(flags) : result.text(flags, title(workloads)));
            return run.left() == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        } catch (IllegalArgumentException | InvalidRequestException wrong) {
            throw new CommandLine.ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        }
    }

    /// A simulation of no time would never end, and one of less than none has not begun.
    private void requireTimes() {
        if (limitUs < 0 || limitUs > LIMIT_MAX_US) {
            throw new IllegalArgumentException(
                    "--limit %d: use 0 to %,d us".formatted(limitUs, LIMIT_MAX_US));
        }
        if (!(everyUs >= EVERY_MIN_US && everyUs <= LIMIT_MAX_US)) {
            throw new IllegalArgumentException(
                    "--every %s: use %s to %,d us".formatted(everyUs, EVERY_MIN_US, LIMIT_MAX_US));
        }
    }

    /// @param only the workload that begins, or [MixRun#ALL]
    private MixRun start(
            Topology topology,
            FabricSettings settings,
            List<Workload> workloads,
            int only,
            List<CableFault> faults) {
        Fabric fabric = new Fabric(topology, settings);
        faults.forEach(fabric::fault);
        mix.watchdog().ifPresent(fabric::watch);
        ControlFacts line = flags.line(topology, settings);
        return new MixRun(
                fabric,
                workloads,
                only,
                it -> flags.apply(it.ackRequestEvery(ackEvery).windowPackets(WINDOW_PACKETS), line),
                flags::connect);
    }

    /// The flows of `--flows` or `--pattern`.
    private Workload only(int hosts, FabricSettings settings) throws IOException {
        return flowFile != null
                ? Workload.rdma(flowFile.getFileName().toString(), read(flowFile, hosts))
                : jittered(Workload.rdma(SimFlags.word(pattern), pattern(hosts)), settings);
    }

    private void warn(String text) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("warning: " + text);
        err.flush();
    }

    private static List<Flow> read(Path flowFile, int hosts) throws IOException {
        FlowFile file = parse(flowFile);
        int needed = file.nodes();
        for (Flow flow : file.flows()) {
            needed = Math.max(needed, Math.max(flow.source(), flow.destination()) + 1);
        }
        if (needed > hosts) {
            throw new IllegalArgumentException(
                    "%s is for %,d hosts, and the fabric has %,d; use --hosts %d"
                            .formatted(flowFile, needed, hosts, needed));
        }
        return file.flows();
    }

    private static FlowFile parse(Path flowFile) throws IOException {
        try {
            return FlowFile.parse(Files.readAllLines(flowFile));
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(flowFile + ", " + malformed.getMessage(), malformed);
        }
    }

    private Workload jittered(Workload in, FabricSettings settings) {
        if (jitterNs != null && !(jitterNs >= 0 && jitterNs <= JITTER_MAX_NS)) {
            throw new IllegalArgumentException(
                    "--jitter %s: use 0 to %,.0f".formatted(jitterNs, JITTER_MAX_NS));
        }
        long withinPs =
                jitterNs == null ? SimFlags.packetPs(settings) : Math.round(jitterNs * PS_PER_NS);
        List<Flow> flows = Patterns.jittered(in.flows(), withinPs, flags.seed);
        return new Workload(in.name(), flows, in.protocol());
    }

    private List<Flow> pattern(int hosts) {
        return switch (pattern) {
            case PERMUTATION -> Patterns.permutation(hosts, bytes, flags.seed);
            case INCAST -> Patterns.incast(hosts, senders(hosts), bytes);
            case ALLTOALL -> Patterns.allToAll(hosts, bytes);
            case SHIFT -> Patterns.shift(hosts, by > 0 ? by : hosts / 2, bytes);
        };
    }

    private int senders(int hosts) {
        return senders == null ? Math.min(SENDERS, hosts - 1) : senders;
    }

    private static String title(List<Workload> workloads) {
        return workloads.stream()
                .map(it -> it.name() + ": " + Texts.plural(it.flows().size(), "flow"))
                .collect(Collectors.joining(", "));
    }
}
