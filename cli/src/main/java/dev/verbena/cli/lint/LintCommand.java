package dev.verbena.cli.lint;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import dev.verbena.cli.finding.FindingStyle;
import dev.verbena.lint.Assumptions;
import dev.verbena.lint.Code;
import dev.verbena.lint.InputFile;
import dev.verbena.lint.Lint;
import dev.verbena.lint.LintException;
import dev.verbena.lint.Report;
import dev.verbena.lint.SubnetShape;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/// `verbena lint`: checks the settings of a lossless network before it carries traffic.
@Command(
        name = "lint",
        description = {
            "Checks settings of switches, hosts and subnet managers, and files of one",
            "path against each other: SONiC's config_db.json; saved output of mlnx_qos,",
            "cma_roce_tos, ethtool, ethtool -a and ip link; opensm.conf, partitions.conf.",
            "Exit status: 0 nothing found, 1 findings, 2 usage error or unreadable file."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena lint leaf1.json leaf2.json --cable-length 30",
            "  verbena lint leaf1.json mlnx_qos@gpu1:qos.txt cma_roce_tos@gpu1:tos.txt",
            "  verbena lint opensm.conf partitions.conf --topology tree",
            "  verbena lint --explain VL301"
        })
public final class LintCommand implements Callable<Integer> {
    private static final double METRES_MAX = 100_000;
    private static final double MICROSECONDS_MAX = 1_000_000;
    private static final int DSCP_MAX = 63;

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "A file, KIND:FILE, or KIND@DEVICE:FILE to name its host or switch.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = {"-C", "--directory"},
            paramLabel = "DIR",
            description = "Directory that the names of files are relative to.")
    private Path directory = Path.of("");

    @Option(
            names = "--cable-length",
            paramLabel = "METRES",
            description = "Length of cables that have none in a file.")
    private @Nullable Double cableLength;

    @Option(
            names = "--round-trip",
            paramLabel = "US",
            description = "Round trip of an empty network, in microseconds.")
    private @Nullable Double roundTrip;

    @Option(
            names = "--dscp",
            paramLabel = "N",
            description = "DSCP of RoCE packets, where no file of a host has it.")
    private @Nullable Integer dscp;

    @Option(
            names = "--topology",
            paramLabel = "SHAPE",
            description = "Shape of the InfiniBand subnet: ${COMPLETION-CANDIDATES}.")
    private @Nullable SubnetShape topology;

    @Option(
            names = "--explain",
            paramLabel = "CODE",
            description = "Explains a code: why it matters, its limit, the remedy.")
    private @Nullable String explained;

    @Option(
            names = {"-l", "--list"},
            description = "Lists all codes with their meaning.")
    private boolean list;

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    @Option(names = "--sarif", description = "Prints SARIF 2.1.0, for code hosts.")
    private boolean sarif;

    /// Made by picocli.
    public LintCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        LintText text =
                new LintText(out, new FindingStyle(spec.commandLine().getColorScheme().ansi()));
        if (list) {
            text.list();
            return CommandLine.ExitCode.OK;
        }
        if (explained != null) {
            text.explain(code(explained));
            return CommandLine.ExitCode.OK;
        }
        Report report = check();
        if (json || sarif) {
            write(report, out);
        } else {
            text.print(report, files.size());
        }
        return report.findings().isEmpty()
                ? CommandLine.ExitCode.OK
                : CommandLine.ExitCode.SOFTWARE;
    }

    private Code code(String name) {
        for (Code code : Code.values()) {
            if (code.name().equalsIgnoreCase(name)) {
                return code;
            }
        }
        throw wrong("no code " + name + "; --list has all");
    }

    private Report check() {
        if (files.isEmpty()) {
            throw wrong("no file to check");
        }
        if (json && sarif) {
            throw wrong("--json and --sarif: use one of them");
        }
        Assumptions assumptions = assumptions();
        try {
            List<InputFile> inputs = new ArrayList<>();
            for (String file : files) {
                inputs.add(FileArgument.parse(file).read(directory));
            }
            return Lint.check(inputs, assumptions);
        } catch (IOException | LintException unreadable) {
            throw wrong(String.valueOf(unreadable.getMessage()));
        }
    }

    private Assumptions assumptions() {
        Assumptions assumptions = Assumptions.NONE;
        if (cableLength != null) {
            assumptions =
                    assumptions.withCableMetres(
                            within("--cable-length", cableLength, 0.1, METRES_MAX));
        }
        if (roundTrip != null) {
            assumptions =
                    assumptions.withRoundTripUs(
                            within("--round-trip", roundTrip, 0.01, MICROSECONDS_MAX));
        }
        if (dscp != null) {
            assumptions = assumptions.withDscp((int) within("--dscp", dscp, 0, DSCP_MAX));
        }
        return topology == null ? assumptions : assumptions.withTopology(topology);
    }

    private double within(String option, double value, double least, double most) {
        if (value >= least && value <= most) {
            return value;
        }
        throw wrong(
                "%s %s: out of range; use %s to %s"
                        .formatted(option, plain(value), plain(least), plain(most)));
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? "%.0f".formatted(value) : String.valueOf(value);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private void write(Report report, PrintWriter out) throws IOException {
        JsonFactory factory =
                JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();
        try (JsonGenerator generator = factory.createGenerator(out)) {
            if (sarif) {
                LintSarif.write(report, generator);
            } else {
                LintJson.write(report, generator);
            }
        }
        out.print("\n");
    }
}
