package dev.verbena.cli;

import dev.verbena.cli.doctor.DoctorCommand;
import dev.verbena.cli.explain.ExplainCommand;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The `verbena` command.
@Command(
        name = "verbena",
        description = "RDMA for the JVM: tools for InfiniBand and RoCE.",
        subcommands = {
            DecodeCommand.class,
            DevinfoCommand.class,
            DoctorCommand.class,
            ExplainCommand.class,
            PerfCommand.class,
            PingpongCommand.class,
            RpingCommand.class,
            SimCommand.class,
            TrainCommand.class
        },
        mixinStandardHelpOptions = true,
        version = "verbena 0.1.0",
        synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable {
    private static final int BUFFER_CHARS = 1 << 14;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    /// Made by picocli.
    public Main() {}

    /// Runs the command and ends the process with its exit status: 0 success, 1 failure, 2 usage
    /// error.
    public static void main(String[] arguments) {
        // Not System.out, which flushes at every line and hides that its reader has closed.
        PrintWriter out =
                new PrintWriter(
                        new BufferedWriter(
                                new OutputStreamWriter(
                                        new FileOutputStream(FileDescriptor.out),
                                        System.out.charset()),
                                BUFFER_CHARS));
        int status = commandLine().setOut(out).execute(arguments);
        out.flush();
        System.exit(status);
    }

    static CommandLine commandLine() {
        ErrorLine errors = new ErrorLine();
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
