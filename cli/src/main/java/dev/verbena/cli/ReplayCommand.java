package dev.verbena.cli;

import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.plan.Costs;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.PhantomMemory;
import dev.verbena.fabric.Topology;
import dev.verbena.job.FabricCosts;
import dev.verbena.job.replay.Job;
import dev.verbena.job.replay.Replay;
import dev.verbena.job.replay.ReplaySettings;
import dev.verbena.transport.control.ControlFacts;
import dev.verbena.verbs.InvalidRequestException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;

/// `verbena replay`: carries recorded jobs out on a simulated fabric.
@Command(
        name = "replay",
        description = {
            "Carries a recorded job out on a simulated fabric, with a rank on each host.",
            "Exit status: 0 the job has ended, 1 it never ends, or not within --limit, 2 usage"
                    + " error or malformed file."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena replay lulesh.goal",
            "  verbena replay job.bin other.goal --fabric ib --hosts 64",
            "  verbena replay --chakra traces/step --groups groups.json"
        })
final class ReplayCommand implements Callable<Integer> {
    private static final long LIMIT_MAX_US = 1_000_000_000_000L;
    private static final int WINDOW_PACKETS = 1 << 20;
    private static final int ACK_EVERY = 64;

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description =
                    "GOAL schedule, text or binary. The ranks of a second file are on the hosts"
                            + " after those of the first.")
    private List<Path> files = List.of();

    @Option(
            names = "--chakra",
            paramLabel = "PREFIX",
            description =
                    "Chakra execution traces PREFIX.0.et, PREFIX.1.et, …, a file for each rank.")
    private @Nullable Path prefix;

    @Option(
            names = "--groups",
            paramLabel = "FILE",
            description =
                    "Chakra: groups of ranks by name, as JSON: {\"1\": [0, 1], \"2\": [2, 3]}.")
    private @Nullable Path groups;

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            description =
                    "Chakra: algorithm of the collective operations that have it, such as ring or"
                            + " halving-doubling (chosen by size).")
    private @Nullable String algorithm;

    @Option(
            names = "--overhead",
            paramLabel = "NS",
            description =
                    "GOAL: time of a cpu for each message that it sends or receives, in"
                            + " nanoseconds (0).")
    private long overheadNs;

    @Option(
            names = "--limit",
            paramLabel = "US",
            description = "Simulated time at which the run ends, in microseconds (1000000000000).")
    private long limitUs = LIMIT_MAX_US;

    @Option(names = "--json", description = "Prints the result as one JSON object.")
    private boolean json;

    @ArgGroup(
            exclusive = false,
            heading = "%nFabric; --hosts is the number of ranks where it is not given:%n")
    private SimFlags flags = new SimFlags();

    /// Made by picocli.
    ReplayCommand() {}

    @Override
    public Integer call() throws IOException {
        ParseResult given = spec.commandLine().getParseResult();
        try {
            requireFiles();
            if (limitUs < 0 || limitUs > LIMIT_MAX_US) {
                throw new IllegalArgumentException(
                        "--limit %d: use 0 to %,d us".formatted(limitUs, LIMIT_MAX_US));
            }
            List<Job> jobs = new ArrayList<>();
            for (Path file : files) {
                jobs.add(ReplayFiles.goal(file));
            }
            if (prefix != null) {
                jobs.add(ReplayFiles.chakra(prefix, groups));
            }
            if (!given.hasMatchedOption("--hosts")) {
                flags.hosts = Math.max(2, jobs.stream().mapToInt(it -> it.ranks().size()).sum());
            }
            SimRefusals refusals = new SimRefusals(given);
            refusals.check(flags, SimCommand.Pattern.PERMUTATION);
            refusals.numbers(flags, 1, 1);
            Topology topology = flags.topology();
            refusals.check(topology);
            return run(jobs, topology);
        } catch (IllegalArgumentException | InvalidRequestException | UsageException wrong) {
            throw new CommandLine.ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        }
    }

    private void requireFiles() {
        if (files.isEmpty() && prefix == null) {
            throw new IllegalArgumentException(
                    "no FILE: name a GOAL schedule, or Chakra traces by --chakra");
        }
        for (String option : List.of("--groups", "--algorithm")) {
            if (prefix == null && spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw new IllegalArgumentException(
                        option + " has no effect without --chakra: GOAL has no groups");
            }
        }
    }

    /// Messages of collective operations, by the algorithm that was asked for.
    private CommunicatorSettings change(CommunicatorSettings usual, Costs costs) {
        CollFlags chosen = new CollFlags();
        chosen.algorithm = algorithm;
        return chosen.change(usual.withMemory(PhantomMemory::in), costs);
    }

    private int run(List<Job> jobs, Topology topology) {
        PrintWriter out = spec.commandLine().getOut();
        FabricSettings settings = flags.settings(topology);
        ControlFacts line = flags.line(topology, settings);
        ReplaySettings how =
                new ReplaySettings(
                        overheadNs,
                        it ->
                                flags.apply(
                                        it.ackRequestEvery(ACK_EVERY).windowPackets(WINDOW_PACKETS),
                                        line),
                        flags::connect,
                        it -> change(it, FabricCosts.of(settings)));
        try (Replay replay = new Replay(new Fabric(topology, settings), jobs, how)) {
            new ReplayLoop(spec.commandLine().getErr(), limitUs * 1_000_000).run(replay);
            ReplayReport report = new ReplayReport(replay, SimFlags.word(flags.kind), topology);
            out.print(json ? report.json() : report.text());
            out.flush();
            replay.problem().ifPresent(this::fail);
            if (replay.problem().isEmpty() && !replay.isOver()) {
                fail("not over after %,d us: allow more time with --limit".formatted(limitUs));
            }
            return replay.isOver() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    private void fail(String problem) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("verbena replay: " + problem);
        err.flush();
    }
}
