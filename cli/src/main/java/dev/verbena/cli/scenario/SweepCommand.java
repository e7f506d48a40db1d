package dev.verbena.cli.scenario;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/// `verbena sweep`: one scenario with many values, point by point.
@Command(
        name = "sweep",
        description = {
            "Runs one scenario with many values: ECN thresholds, oversubscription, seeds.",
            "It starts no processes: Slurm, GNU parallel or a loop does (docs/sweeps.md)."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {SweepPlanCommand.class, SweepRunCommand.class, SweepCollectCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbena sweep plan ecn.yaml out",
            "  seq 0 4 63 | parallel verbena sweep run out --index {} --count 4",
            "  verbena sweep collect out"
        })
public final class SweepCommand implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    /// Made by picocli.
    public SweepCommand() {}

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "say what to do: plan, run or collect");
    }
}
