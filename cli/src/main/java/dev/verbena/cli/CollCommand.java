package dev.verbena.cli;

import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.RankFailedException;
import dev.verbena.collectives.plan.Costs;
import dev.verbena.job.NcclOperation;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;

/// `verbena coll`: measures collective operations.
@Command(
        name = "coll",
        description = {
            "Measures collective operations as nccl-tests does: ranks on this machine, or on many"
                    + " by a launcher.",
            "Exit status: 0 all results right, 1 a wrong result or a failed rank, 2 usage error."
        },
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena coll all_reduce                          4 processes of this machine",
            "  verbena coll alltoall --ranks 2 -b 1K -e 1M -f 2",
            "  verbena coll all_reduce --fabric ib --hosts 64 -b 1M -e 1M",
            "  verbena coll all_reduce --fabric ib --hosts 16 --gpus 8 --rails -b 8M -e 8M",
            "  verbena coll all_reduce --fabric ib --algorithm in-network -b 1M -e 1M",
            "  verbena coll all_reduce --verdict --slow-rank 2:5ms",
            "  verbena coll all_reduce --fabric roce --hosts 4096 --level flow -b 1G -e 1G",
            "  srun verbena coll all_reduce --device roce://192.0.2.10   one rank of many"
        })
final class CollCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "OPERATION",
            description =
                    "all_reduce, all_gather, reduce_scatter, broadcast, reduce, alltoall, gather"
                            + " or scatter.")
    private NcclOperation operation = NcclOperation.ALL_REDUCE;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description =
                    "Processes to start on this machine, at 127.0.0.2 and up (4). Not with a"
                        + " launcher: RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT of torchrun, or"
                        + " the numbers of mpirun, PMIx and Slurm with MASTER_ADDR.")
    private int size = 4;

    @Option(
            names = "--device",
            paramLabel = "URI",
            description =
                    "Device of a rank that a launcher has started, such as roce://192.0.2.10;"
                            + " with --ranks, of each by its number, %%d: roce://127.0.0.%%d.")
    private @Nullable String device;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port of rank 0, with --ranks (29500).")
    private int port = 29_500;

    @ArgGroup(exclusive = false)
    private CollFlags flags = new CollFlags();

    @ArgGroup(
            exclusive = false,
            heading = "%nOn a simulated fabric, with a rank on each host; --fabric chooses it:%n")
    private SimFlags fabric = new SimFlags();

    @ArgGroup(exclusive = false)
    private CollLevel level = new CollLevel();

    @ArgGroup(exclusive = false, heading = "%nHosts of the simulated fabric with several GPUs:%n")
    private CollHosts gpuHosts = new CollHosts();

    @ArgGroup(exclusive = false, heading = "%nReductions in switches of the simulated fabric:%n")
    private CollNetwork network = new CollNetwork();

    @ArgGroup(exclusive = false, heading = "%nWhat holds operations up:%n")
    private CollEyes eyes = new CollEyes();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    boolean isHelp;

    /// Made by picocli.
    CollCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try {
            ParseResult given = spec.commandLine().getParseResult();
            level.check(given, fabric, flags);
            if (given.hasMatchedOption("--fabric")) {
                new CollSimulation(operation, flags, fabric, gpuHosts, network, eyes, level)
                        .run(out, spec.commandLine().getErr());
                return CommandLine.ExitCode.OK;
            }
            if (!given.hasMatchedOption("--piece")) {
                flags.piece = CommunicatorSettings.live(System::nanoTime).pieceBytes();
            }
            Optional<CollPlace> place = CollPlace.of(System.getenv());
            boolean isRight = place.isPresent() ? joined(place.get(), out) : started(out);
            return isRight ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        } catch (UsageException | IllegalArgumentException wrong) {
            throw new CommandLine.ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        } catch (PerfException | VerbsException | RankFailedException | IOException failed) {
            out.flush();
            spec.commandLine().getErr().println("verbena coll: " + failed.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private boolean joined(CollPlace place, PrintWriter out)
            throws IOException, ConnectionFailedException, RankFailedException {
        flags.check(place.size());
        eyes.check(place.size(), false);
        String uri = device == null ? "roce://" + place.root().getHostString() : device;
        if (device == null && place.rank() != 0) {
            throw new UsageException("a rank of a launcher needs --device, its own address");
        }
        return rank(place, uri, place.rank() == 0 ? out : null);
    }

    private boolean rank(CollPlace place, String uri, @Nullable PrintWriter out)
            throws IOException, ConnectionFailedException, RankFailedException {
        CommunicatorSettings settings =
                flags.change(CommunicatorSettings.live(System::nanoTime), Costs.sockets())
                        .withTimeout(TIMEOUT);
        try (Device opened = Devices.open(uri);
                Communicator ranks =
                        Communicator.join(
                                opened,
                                place.rank(),
                                place.size(),
                                place.root(),
                                settings,
                                TIMEOUT)) {
            List<String> algorithms = flags.algorithms(operation, false);
            if (algorithms.isEmpty()) {
                return new CollBench(ranks, operation, flags, eyes).run(out);
            }
            boolean isRight = true;
            for (String algorithm : algorithms) {
                isRight &= by(algorithm, ranks, out);
            }
            return isRight;
        }
    }

    /// Measures one algorithm with all ranks of a communicator.
    private boolean by(String algorithm, Communicator all, @Nullable PrintWriter out)
            throws IOException, RankFailedException {
        flags.algorithm = algorithm;
        if (out != null) {
            out.printf("# by %s%n", algorithm);
        }
        try (Communicator ranks = all.with(it -> flags.change(it, Costs.sockets()))) {
            return new CollBench(ranks, operation, flags, eyes).run(out);
        }
    }

    private boolean started(PrintWriter out)
            throws IOException, ConnectionFailedException, RankFailedException {
        if (size < 1 || size > 128) {
            throw new UsageException("--ranks " + size + ": use 1 to 128 processes");
        }
        flags.check(size);
        eyes.check(size, false);
        if (flags.explain) {
            flags.explain(operation, size, Costs.sockets(), out);
            return true;
        }
        String pattern = device == null ? "roce://127.0.0.%d" : device;
        String first = pattern.replace("%d", "2");
        InetSocketAddress root =
                new InetSocketAddress(
                        DeviceFlags.address("--device", CollWorkers.address(first)), port);
        List<String> words = new ArrayList<>(flags.words());
        words.addAll(eyes.words());
        try (CollWorkers workers = new CollWorkers(operation, words, pattern, size, root)) {
            boolean isRight = rank(new CollPlace(0, size, root), first, out);
            return workers.await() && isRight;
        }
    }
}
