package dev.verbena.cli;

import dev.verbena.verbs.NoDeviceException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// `verbena demo`: what Verbena does, in less than a minute.
@Command(
        name = "demo",
        description = {
            "Shows what Verbena does, in less than a minute: two processes that write to each"
                    + " other, a wire and a fabric that lose packets, captures, counters.",
            "Needs no NIC and no root. All figures are measured in this run."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DemoCommand implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Option(names = "--seed", paramLabel = "N", description = "Seed of all random choices (1).")
    private long seed = 1;

    @Option(
            names = "--fast",
            description = "Makes no pauses between lines. So it is if the output is no terminal.")
    private boolean fast;

    @Option(
            names = "--keep",
            paramLabel = "DIR",
            description = "Keeps the captures in this directory.")
    private @Nullable Path kept;

    /// Made by picocli.
    DemoCommand() {}

    @Override
    public Integer call() throws IOException {
        long startNs = System.nanoTime();
        PrintWriter out = spec.commandLine().getOut();
        DemoScreen screen = screen(out);
        try (DemoFiles files = new DemoFiles(kept)) {
            screen.title("Verbena: RDMA for the JVM", "verbena demo --seed " + seed);
            try (DemoPeer peer = new DemoPeer()) {
                DemoTransfer transfer = new DemoTransfer(screen, peer, seed);
                transfer.write();
                transfer.lose(files.roce());
            }
            int left = new DemoFabric(screen, seed).run(files.fabric());
            screen.blank();
            end(screen, files, (System.nanoTime() - startNs) / 1e9);
            return left == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        } catch (NoDeviceException | PerfException failed) {
            throw new IOException(failed.getMessage(), failed);
        }
    }

    private DemoScreen screen(PrintWriter out) {
        boolean isWatched = SimLoop.isWatched();
        boolean isColoured = isWatched && spec.commandLine().getColorScheme().ansi().enabled();
        Charset charset = System.out.charset();
        boolean isUnicode = charset.newEncoder().canEncode('█');
        return new DemoScreen(out, isColoured, isUnicode, isWatched && !fast);
    }

    private void end(DemoScreen screen, DemoFiles files, double seconds) {
        if (files.isKept()) {
            screen.say("The captures are kept. Read one whole:");
            screen.line("    verbena decode " + files.roce());
        }
        screen.say(
                String.format(
                        Locale.ROOT,
                        "All of this was measured in the last %.0f seconds. The simulated part"
                                + " repeats for the seed.",
                        Math.ceil(seconds)));
    }
}
