package dev.verbena.cli;

import dev.verbena.cli.doctor.DoctorCommand;
import dev.verbena.cli.explain.ExplainCommand;
import dev.verbena.cli.lint.LintCommand;
import dev.verbena.cli.plan.PlanCommand;
import dev.verbena.cli.scenario.CompareCommand;
import dev.verbena.cli.scenario.InitCommand;
import dev.verbena.cli.scenario.RunCommand;
import dev.verbena.cli.scenario.SweepCommand;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The `verbena` command.
@Command(
        name = "verbena",
        description = "RDMA for the JVM: tools for InfiniBand and RoCE.",
        mixinStandardHelpOptions = true,
        version = Main.VERSION,
        synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable {
    static final String VERSION = "verbena 0.1.0";

    private static final int BUFFER_CHARS = 1 << 14;

    /// By name, in the order of the help.
    private static final Map<String, Supplier<Object>> COMMANDS = commands();

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
        if (arguments.length == 1 && arguments[0].equals("--version")) {
            // Scripts ask for it: without picocli it takes half the time.
            out.println(VERSION);
            out.flush();
            return;
        }
        int status = commandLineFor(arguments).setOut(out).execute(arguments);
        out.flush();
        System.exit(status);
    }

    private static Map<String, Supplier<Object>> commands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("coll", CollCommand::new);
        commands.put("compare", CompareCommand::new);
        commands.put("decode", DecodeCommand::new);
        commands.put("demo", DemoCommand::new);
        commands.put("demo-peer", DemoPeerCommand::new);
        commands.put("devinfo", DevinfoCommand::new);
        commands.put("doctor", DoctorCommand::new);
        commands.put("explain", ExplainCommand::new);
        commands.put("ibsim", IbsimCommand::new);
        commands.put("init", InitCommand::new);
        commands.put("lint", LintCommand::new);
        commands.put("perf", PerfCommand::new);
        commands.put("pingpong", PingpongCommand::new);
        commands.put("plan", PlanCommand::new);
        commands.put("replay", ReplayCommand::new);
        commands.put("rping", RpingCommand::new);
        commands.put("run", RunCommand::new);
        commands.put("saquery", SaqueryCommand::new);
        commands.put("sim", SimCommand::new);
        commands.put("sm", SmCommand::new);
        commands.put("sweep", SweepCommand::new);
        commands.put("train", TrainCommand::new);
        return commands;
    }

    /// All commands.
    static CommandLine commandLine() {
        return withCommands(COMMANDS.keySet());
    }

    /// The commands that these arguments can need: to describe them all to picocli takes longer
    /// than most of them run.
    static CommandLine commandLineFor(String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        return withCommands(COMMANDS.containsKey(first) ? Set.of(first) : COMMANDS.keySet());
    }

    private static CommandLine withCommands(Set<String> names) {
        ErrorLine errors = new ErrorLine();
        CommandLine line = new CommandLine(new Main());
        COMMANDS.forEach(
                (name, command) -> {
                    if (names.contains(name)) {
                        line.addSubcommand(name, command.get());
                    }
                });
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
