package dev.verbena.cli.scenario;

import dev.verbena.scenario.sweep.Collected;
import dev.verbena.scenario.sweep.PointResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `verbena sweep collect`: one table of all results.
@Command(
        name = "collect",
        description = {
            "Writes the results of a sweep as one CSV table, and names the points without one.",
            "Exit status: 0 all are there, 1 some are missing, 2 usage error."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class SweepCollectCommand implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FOLDER", description = "Made by sweep plan.")
    private Path path = Path.of("");

    @Option(
            names = "--csv",
            paramLabel = "FILE",
            description = "Where to write the table (results.csv in FOLDER).")
    private @Nullable Path csv;

    SweepCollectCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        SweepFolder folder = new SweepFolder(path);
        SweepFolder.Plan plan = SweepFolder.read(folder.sweep(), spec.commandLine().getErr());
        if (plan == null) {
            return CommandLine.ExitCode.USAGE;
        }
        TreeMap<Integer, PointResult> results = new TreeMap<>();
        String version = RunCommand.build(spec);
        for (int index = 0; index < plan.sweep().points(); index++) {
            int at = index;
            String digest = PointResult.digest(plan.point(at), version);
            folder.result(at, digest).ifPresent(it -> results.put(at, it));
        }
        Collected all = new Collected(plan.sweep(), results);
        Path table = csv == null ? path.resolve(SweepFolder.TABLE) : csv;
        SweepFolder.write(table, all.csv());
        out.printf("%,d of %,d points in %s%n", results.size(), plan.sweep().points(), table);
        if (all.failed() > 0) {
            out.printf("%,d of them failed, or do not hold what they assert%n", all.failed());
        }
        if (all.missingCount() > 0) {
            out.printf("missing: %s%n", all.missing());
            out.printf("next: verbena sweep run %s%n", path);
            return CommandLine.ExitCode.SOFTWARE;
        }
        return CommandLine.ExitCode.OK;
    }
}
