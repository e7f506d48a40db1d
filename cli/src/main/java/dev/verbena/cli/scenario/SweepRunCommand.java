package dev.verbena.cli.scenario;

import dev.verbena.scenario.run.Result;
import dev.verbena.scenario.run.ScenarioRun;
import dev.verbena.scenario.sweep.PointResult;
import dev.verbena.verbs.InvalidRequestException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/// `verbena sweep run`: some points of a sweep.
@Command(
        name = "run",
        description = {
            "Runs the points of a planned sweep that have no result yet. It may be ended and begun",
            "again at any time, also on several machines: each result is written once, in one"
                    + " step.",
            "Exit status: 0 the points have results, 1 it was ended early, 2 usage error."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class SweepRunCommand implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FOLDER", description = "Made by sweep plan.")
    private Path path = Path.of("");

    @Option(names = "--index", paramLabel = "N", description = "The first point (0).")
    private int index;

    @Option(names = "--count", paramLabel = "K", description = "How many points (all from N on).")
    private @Nullable Integer count;

    SweepRunCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        SweepFolder folder = new SweepFolder(path);
        SweepFolder.Plan plan = SweepFolder.read(folder.sweep(), err);
        if (plan == null) {
            return CommandLine.ExitCode.USAGE;
        }
        int points = plan.sweep().points();
        int wanted = count == null ? points : count;
        if (index < 0 || index >= points || wanted < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "points %d and %d on: the sweep has 0 to %d; use one of them, and --count 1 or"
                                    .formatted(index, wanted, points - 1)
                            + " more");
        }
        int end = (int) Math.min(points, (long) index + wanted);
        int ran = 0;
        String version = RunCommand.build(spec);
        try (RunWatch watch = new RunWatch(err)) {
            for (int at = index; at < end; at++) {
                String text = plan.point(at);
                String digest = PointResult.digest(text, version);
                if (folder.result(at, digest).isPresent()) {
                    continue;
                }
                PointResult made = run(plan, at, text, digest, watch);
                watch.clear();
                if (made == null) {
                    out.printf("ended at point %d; run it again to go on%n", at);
                    return CommandLine.ExitCode.SOFTWARE;
                }
                folder.keep(at, made);
                ran++;
                out.printf("point %d: %s%n", at, made.error().isEmpty() ? "done" : made.error());
                out.flush();
            }
        }
        out.printf("%,d points ran, %,d had results%n", ran, end - index - ran);
        return CommandLine.ExitCode.OK;
    }

    /// Null where it was ended early.
    private static @Nullable PointResult run(
            SweepFolder.Plan plan, int at, String text, String digest, RunWatch watch)
            throws IOException {
        StringWriter told = new StringWriter();
        ScenarioFile file = plan.file();
        ScenarioFile.Loaded loaded = parsed(file, text, new PrintWriter(told));
        if (loaded == null) {
            return PointResult.refused(digest, told.toString().strip());
        }
        try {
            Result result =
                    ScenarioRun.of(
                            loaded.scenario(),
                            (what, share) -> watch.goOn("point " + at + ": " + what, share));
            return result.outcome().isPartial() ? null : PointResult.of(digest, result);
        } catch (IllegalArgumentException | InvalidRequestException refused) {
            return PointResult.refused(digest, String.valueOf(refused.getMessage()));
        }
    }

    /// A disk that fails for a moment is no result of a point.
    private static ScenarioFile.@Nullable Loaded parsed(
            ScenarioFile file, String text, PrintWriter told) throws IOException {
        try {
            return file.parse(text, file::keptLines, told);
        } catch (UncheckedIOException failed) {
            throw new IOException(
                    "a file that the scenario names cannot be read: " + failed.getMessage(),
                    failed);
        }
    }
}
