package dev.verbena.cli.doctor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import dev.verbena.lint.Severity;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// `verbena doctor`: says what stops RDMA on this host.
@Command(
        name = "doctor",
        description = {
            "Finds problems that stop RDMA on this host, and names a remedy for each.",
            "Reads files only. Exit status: 0 no errors, 1 errors, 2 usage error."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena doctor",
            "  verbena doctor --list",
            "  verbena doctor --record > host.txt",
            "  verbena doctor --root host.txt"
        })
public final class DoctorCommand implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--root",
            paramLabel = "PATH",
            description =
                    "Checks another host: a copy of its /sys, /proc, /dev and "
                            + "/etc, or a record.")
    private Path root = Path.of("/");

    @Option(
            names = "--record",
            description =
                    "Prints the files that the checks read, as a record to "
                            + "send to someone else.")
    private boolean record;

    @Option(
            names = {"-l", "--list"},
            description = "Lists all codes with their meaning.")
    private boolean list;

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    /// Made by picocli.
    public DoctorCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        DoctorText text = new DoctorText(out, spec.commandLine().getColorScheme().ansi());
        if (list) {
            text.list();
            return CommandLine.ExitCode.OK;
        }
        RecordingHost host = new RecordingHost(host());
        if (!host.exists("/proc") && !host.exists("/sys")) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    root + " has neither /proc nor /sys of a Linux host: give a copy or a record");
        }
        List<Finding> findings = Check.all(host);
        if (record) {
            out.print(host.record());
            return CommandLine.ExitCode.OK;
        }
        if (json) {
            write(findings, out);
        } else {
            text.print(findings);
        }
        return DoctorText.count(findings, Severity.ERROR) == 0
                ? CommandLine.ExitCode.OK
                : CommandLine.ExitCode.SOFTWARE;
    }

    private Host host() throws IOException {
        return Files.isRegularFile(root)
                ? new RecordedHost(Files.readString(root))
                : new DirectoryHost(root);
    }

    private static void write(List<Finding> findings, PrintWriter out) throws IOException {
        JsonFactory factory =
                JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();
        try (JsonGenerator generator = factory.createGenerator(out)) {
            DoctorJson.write(findings, generator);
        }
        out.print("\n");
    }
}
