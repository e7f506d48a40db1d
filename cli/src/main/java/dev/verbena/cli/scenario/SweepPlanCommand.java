package dev.verbena.cli.scenario;

import dev.verbena.scenario.read.Problem;
import dev.verbena.scenario.read.ScenarioReader;
import dev.verbena.scenario.sweep.Sweep;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/// `verbena sweep plan`: the numbered list of points.
@Command(
        name = "plan",
        description = {
            "Checks every point of a sweep, and writes their numbered list into a new folder,",
            "with all that other machines need to run them."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class SweepPlanCommand implements Callable<Integer> {
    private static final int TASKS_MAX = 1000;
    private static final int TOLD_MAX = 10;

    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "SWEEP", description = "The sweep, in YAML.")
    private Path file = Path.of("");

    @Parameters(index = "1", paramLabel = "FOLDER", description = "Folder to make.")
    private Path folder = Path.of("");

    SweepPlanCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (Files.exists(folder.resolve(SweepFolder.SWEEP))) {
            throw new ParameterException(
                    spec.commandLine(), folder + " has a sweep already; use another folder");
        }
        SweepFolder.Plan plan = SweepFolder.read(file, err);
        if (plan == null) {
            return CommandLine.ExitCode.USAGE;
        }
        Map<String, List<String>> named = new TreeMap<>();
        if (!isRight(plan, named, err)) {
            return CommandLine.ExitCode.USAGE;
        }
        requireFree(plan.sweep().scenario());
        named.keySet().forEach(this::requireFree);
        Files.createDirectories(new SweepFolder(folder).results());
        copy(plan.sweep().scenario(), plan.base());
        for (Map.Entry<String, List<String>> each : named.entrySet()) {
            copy(each.getKey(), String.join("\n", each.getValue()) + "\n");
        }
        SweepFolder.write(folder.resolve(SweepFolder.LIST), plan.sweep().list());
        // The last one: a folder with it is whole.
        SweepFolder.write(folder.resolve(SweepFolder.SWEEP), Files.readString(file));
        told(plan.sweep(), out);
        return CommandLine.ExitCode.OK;
    }

    /// Whether a file has a place in the folder.
    private void requireFree(String name) {
        if (!target(name).startsWith(folder.normalize())) {
            throw new ParameterException(
                    spec.commandLine(),
                    name + " is not in the sweep's folder; put the scenario beside the sweep");
        }
        if (SweepFolder.isOwn(name)) {
            throw new ParameterException(
                    spec.commandLine(),
                    name + " would be in the place of a file of the sweep; give it another name");
        }
    }

    private Path target(String name) {
        return folder.resolve(name).normalize();
    }

    private void copy(String name, String text) throws IOException {
        Path target = target(name);
        Path parent = target.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        SweepFolder.write(target, text);
    }

    /// Reads every point; a message about a mistake names the point by its number.
    private boolean isRight(
            SweepFolder.Plan plan, Map<String, List<String>> named, PrintWriter err) {
        int told = 0;
        Sweep sweep = plan.sweep();
        ScenarioReader.Files files =
                name -> {
                    List<String> lines = plan.file().lines(name);
                    named.put(name, lines);
                    return lines;
                };
        for (int index = 0; index < sweep.points() && told < TOLD_MAX; index++) {
            String at = "%s: point %d, %s".formatted(file, index, sweep.point(index));
            try {
                var read = ScenarioReader.read(sweep.scenario(), plan.point(index), files);
                for (Problem each : read.problems()) {
                    told++;
                    err.println(at + ": " + each.path() + ": " + each.text());
                }
            } catch (IllegalArgumentException nowhere) {
                told++;
                err.println(at + ": " + nowhere.getMessage());
            }
        }
        err.flush();
        return told == 0;
    }

    private void told(Sweep sweep, PrintWriter out) {
        int points = sweep.points();
        int count = Math.max(1, Math.ceilDiv(points, TASKS_MAX));
        int tasks = Math.ceilDiv(points, count);
        out.printf("%,d points in %s%n", points, folder.resolve(SweepFolder.LIST));
        out.printf(" here:     verbena sweep run %s%n", folder);
        out.printf(
                " parallel: seq 0 %d %d | parallel verbena sweep run %s --index {} --count %d%n",
                count, points - 1, folder, count);
        out.printf(" Slurm:    sbatch --array=0-%d … (docs/sweeps.md)%n", tasks - 1);
        out.printf(" then:     verbena sweep collect %s%n", folder);
    }
}
