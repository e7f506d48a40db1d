package dev.verbena.cli;

import dev.verbena.collectives.Choice;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.CostModel;
import dev.verbena.collectives.plan.Costs;
import dev.verbena.collectives.plan.NetworkCosts;
import dev.verbena.collectives.plan.Plans;
import dev.verbena.collectives.plan.Shape;
import dev.verbena.job.NcclOperation;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags of `verbena coll` that say what is measured: those of nccl-tests, where it has them.
final class CollFlags {
    private static final int SIZES_MAX = 10_000;

    @Option(
            names = {"-b", "--minbytes"},
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "First size (8).")
    long first = 8;

    @Option(
            names = {"-e", "--maxbytes"},
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Last size (64M).")
    long last = 64 << 20;

    @Option(
            names = {"-i", "--stepbytes"},
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Difference of two sizes, instead of a factor.")
    long step;

    @Option(
            names = {"-f", "--stepfactor"},
            paramLabel = "N",
            description = "Factor between two sizes (4).")
    int factor = 4;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "Operations for each size (20).")
    int iterations = 20;

    @Option(
            names = {"-w", "--warmup_iters"},
            paramLabel = "N",
            description = "Operations before them, for each size (5).")
    int warmup = 5;

    @Option(
            names = "--warm_up_ms",
            paramLabel = "MS",
            description =
                    "Time before the first size, for Java's compiler (1500); up to 8 times as long"
                            + " while it still works.")
    int warmUpMs = 1500;

    @Option(
            names = {"-o", "--op"},
            paramLabel = "OP",
            description = "sum, min or max (sum).")
    Reduction reduction = Reduction.SUM;

    @Option(
            names = {"-d", "--datatype"},
            paramLabel = "TYPE",
            description = "float, double, half, bfloat16, int32 or int64 (float).")
    String type = "float";

    @Option(
            names = {"-r", "--root"},
            paramLabel = "RANK",
            description = "Root of operations that have one (0).")
    int root;

    @Option(
            names = {"-c", "--check"},
            paramLabel = "0|1",
            description = "Whether results are checked (1).")
    int check = 1;

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            description =
                    "ring, halving-doubling, doubling, double-tree, tree, pairwise, hierarchical or"
                            + " in-network (chosen by size).")
    @Nullable String algorithm;

    @Option(
            names = "--algorithms",
            description = "Measures each algorithm that carries out the operation.")
    boolean all;

    @Option(
            names = "--explain",
            description =
                    "Measures nothing: prints what each algorithm would take for each size, by the"
                            + " formulas that choose one.")
    boolean explain;

    @Option(
            names = "--piece",
            paramLabel = "BYTES",
            converter = ByteCount.Small.class,
            description =
                    "Longest message; longer vectors are sent in pieces (512K; simulated 128K).")
    int piece = 1 << 17;

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "Messages of an all-to-all under way from each rank (4).")
    int window = Shape.WINDOW;

    @Option(
            names = "--lanes",
            paramLabel = "N",
            description = "Queue pairs for each direction of a ring (2).")
    int lanes = 2;

    ElementType type() {
        for (ElementType known : ElementType.values()) {
            if (known.toString().equals(type) || known.option().equals(type)) {
                return known;
            }
        }
        throw new UsageException(
                "-d " + type + ": use float, double, half, bfloat16, int32 or int64");
    }

    @Nullable Algorithm algorithm() {
        if (algorithm == null) {
            return null;
        }
        for (Algorithm known : Algorithm.values()) {
            if (known.toString().equals(algorithm.toLowerCase(Locale.ROOT))) {
                return known;
            }
        }
        throw new UsageException("--algorithm " + algorithm + ": there is none of that name");
    }

    void check(int ranks) {
        if (first < 1 || last < first) {
            throw new UsageException(
                    "-b %d -e %d: sizes go up, from 1 byte on".formatted(first, last));
        }
        if (step < 0 || (step == 0 && factor < 2)) {
            throw new UsageException("-f " + factor + ": use a factor of 2 or more, or -i BYTES");
        }
        if (iterations < 1 || warmup < 0 || warmUpMs < 0) {
            throw new UsageException(
                    "-n %d -w %d --warm_up_ms %d: too few".formatted(iterations, warmup, warmUpMs));
        }
        if (root < 0 || root >= ranks) {
            throw new UsageException("-r %d: there are %d ranks, from 0 on".formatted(root, ranks));
        }
        if (piece < 1 || lanes < 1 || lanes > 32 || window < 1) {
            throw new UsageException(
                    "--piece %d --lanes %d --window %d: use 1 or more, and 32 lanes at most"
                            .formatted(piece, lanes, window));
        }
        type();
        algorithm();
    }

    CommunicatorSettings change(CommunicatorSettings settings, Costs costs) {
        Algorithm wanted = algorithm();
        Choice choice = Choice.of(costs);
        return settings.withPieceBytes(piece)
                .withLanes(lanes)
                .withWindow(window)
                .withChoice(wanted == null ? choice : choice.prefer(wanted));
    }

    /// The names of the algorithms to measure, one after the other; none where one is chosen by
    /// size.
    ///
    /// @param hasSwitches whether there are switches that could reduce
    List<String> algorithms(NcclOperation operation, boolean hasSwitches) {
        List<String> names = new ArrayList<>();
        for (Algorithm known : Algorithm.values()) {
            if (all && Plans.supports(operation.collective(), known)) {
                names.add(known.toString());
            }
        }
        if (all && hasSwitches && NetworkCosts.supports(operation.collective())) {
            names.add(Algorithm.IN_NETWORK.toString());
        }
        return names;
    }

    /// What each algorithm would take for each size.
    void explain(NcclOperation operation, int ranks, Costs costs, PrintWriter out) {
        explain(operation, ranks, 1, costs, null, out);
    }

    /// @param ranksOnHost where ranks of a host have links of their own
    /// @param network null where switches do not reduce
    void explain(
            NcclOperation operation,
            int ranks,
            int ranksOnHost,
            Costs costs,
            @Nullable NetworkCosts network,
            PrintWriter out) {
        for (long size : sizes(operation, ranks)) {
            int elementBytes = type().bytes();
            long count = size / elementBytes / (operation.isSplit() ? ranks : 1);
            Shape shape =
                    Shape.of(operation.collective(), 0, ranks, count)
                            .withRoot(root)
                            .withPieces(Math.max(1, piece / elementBytes))
                            .withGroups(ranksOnHost)
                            .withLanes(lanes);
            out.printf("# %s, %d ranks, %,d bytes%n", operation, ranks, size);
            new CostModel(costs, network, elementBytes).explain(shape).forEach(out::println);
        }
        out.printf("# Formulas with assumed constants; * is chosen.%n");
        out.flush();
    }

    /// The sizes to measure: multiples of what an operation can be split into.
    List<Long> sizes(NcclOperation operation, int ranks) {
        long unit = type().bytes() * (operation.isSplit() ? (long) ranks : 1L);
        List<Long> sizes = new ArrayList<>();
        for (long size = first; size <= last; size = step > 0 ? size + step : size * factor) {
            long rounded = Math.max(unit, size / unit * unit);
            if (sizes.isEmpty() || sizes.getLast() != rounded) {
                sizes.add(rounded);
            }
            if (sizes.size() > SIZES_MAX) {
                throw new UsageException(
                        "-b %d -e %d: more than %,d sizes".formatted(first, last, SIZES_MAX));
            }
        }
        return sizes;
    }

    /// The same flags as words, for another process.
    List<String> words() {
        List<String> words = new ArrayList<>();
        words.addAll(
                List.of("-b", "" + first, "-e", "" + last, "-i", "" + step, "-f", "" + factor));
        words.addAll(List.of("-n", "" + iterations, "-w", "" + warmup, "-d", type));
        words.addAll(List.of("-o", reduction.name(), "-r", "" + root, "-c", "" + check));
        words.addAll(List.of("--piece", "" + piece, "--lanes", "" + lanes));
        words.addAll(List.of("--window", "" + window, "--warm_up_ms", "" + warmUpMs));
        if (all) {
            words.add("--algorithms");
        }
        if (algorithm != null) {
            words.addAll(List.of("--algorithm", algorithm));
        }
        return words;
    }
}
