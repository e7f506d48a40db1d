package dev.verbena.cli;

import java.io.PrintWriter;
import java.io.Writer;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `verbena train`: runs a short part of each command. `bin/verbena` starts it once after a build,
/// so that the Java virtual machine stores the loaded classes and its profile of the loops.
@Command(name = "train", hidden = true, description = "Runs a little of the other commands.")
final class TrainCommand implements Runnable {
    private static final String[][] COMMANDS = {
        {"--help"},
        {"--version"},
        {"perf", "--help"},
        {"decode", "--help"},
        {"devinfo", "--help"},
        {"doctor", "--record"},
        {"explain", "12/129"},
        {"sim", "--hosts", "128", "--tiers", "3", "--radix", "8", "--size", "1M"},
        {"sim", "--fabric", "ib", "--hosts", "16", "--pattern", "incast", "--size", "1M"}
    };

    /// Made by picocli.
    TrainCommand() {}

    @Override
    public void run() {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        for (String[] words : COMMANDS) {
            CommandLine line = Main.commandLineFor(words).setOut(nowhere).setErr(nowhere);
            if (line.execute(words) != CommandLine.ExitCode.OK) {
                throw new IllegalStateException("it does not run: " + String.join(" ", words));
            }
        }
    }
}
