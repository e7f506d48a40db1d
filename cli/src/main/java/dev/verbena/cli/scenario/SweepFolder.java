package dev.verbena.cli.scenario;

import dev.verbena.scenario.read.Point;
import dev.verbena.scenario.read.Problem;
import dev.verbena.scenario.read.SweepReader;
import dev.verbena.scenario.sweep.PointResult;
import dev.verbena.scenario.sweep.Sweep;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The folder of a planned sweep: the sweep and its scenario as they were, the numbered list, and a
/// file for each result. Several processes on several machines may work in it at the same time.
record SweepFolder(Path path) {
    static final String SWEEP = "sweep.yaml";
    static final String LIST = "points.csv";
    static final String TABLE = "results.csv";
    private static final String RESULTS = "results";
    private static final Set<String> OWN = Set.of(SWEEP, LIST, TABLE, RESULTS);
    private static final long BYTES_MAX = 1 << 22;

    /// A plan that was read.
    record Plan(Sweep sweep, ScenarioFile file, String base) {
        /// The text of a point's scenario.
        String point(int index) {
            return Point.of(base, sweep.point(index));
        }
    }

    /// The sweep of a file and its scenario; null after its mistakes were printed.
    static @Nullable Plan read(Path sweep, PrintWriter err) throws IOException {
        SweepReader.Reading read = SweepReader.read(sweep.toString(), small(sweep));
        for (Problem each : read.problems()) {
            err.println(each);
        }
        err.flush();
        Sweep found = read.sweep();
        if (found == null) {
            return null;
        }
        Path name = Path.of(found.scenario()).normalize();
        if (name.isAbsolute() || name.startsWith("..")) {
            err.println(sweep + ": scenario: " + name + " is not beside the sweep; put it there");
            err.flush();
            return null;
        }
        Path scenario = sweep.resolveSibling(found.scenario());
        if (!scenario.toRealPath().startsWith(ScenarioFile.folderOf(sweep))) {
            err.println(
                    sweep + ": scenario: " + name + " leads elsewhere; put the file itself there");
            err.flush();
            return null;
        }
        ScenarioFile file = new ScenarioFile(scenario, false);
        ScenarioFile.Loaded base = file.load(err);
        return base == null ? null : new Plan(found, file, base.text());
    }

    /// Whether a name in the folder is one of the sweep's own; to some file systems large letters
    /// and small ones are the same.
    static boolean isOwn(String name) {
        Path first = Path.of(name).normalize().getName(0);
        return OWN.contains(first.toString().toLowerCase(Locale.ROOT));
    }

    private static String small(Path file) throws IOException {
        if (Files.size(file) > BYTES_MAX) {
            throw new IOException(file + " has more than 4 MiB");
        }
        return Files.readString(file);
    }

    Path results() {
        return path.resolve(RESULTS);
    }

    Path sweep() {
        return path.resolve(SWEEP);
    }

    private Path result(int index) {
        return results().resolve("%06d.json".formatted(index));
    }

    /// The result of a point that is there, and belongs to this plan.
    Optional<PointResult> result(int index, String digest) throws IOException {
        Path file = result(index);
        return Files.exists(file)
                ? PointResult.parse(small(file)).filter(it -> it.digest().equals(digest))
                : Optional.empty();
    }

    /// Keeps a result: a reader sees all of it or nothing.
    void keep(int index, PointResult result) throws IOException {
        Files.createDirectories(results());
        write(result(index), result.text());
    }

    /// Writes under another name, and renames: who is ended in between leaves no half file.
    static void write(Path file, String text) throws IOException {
        Path part = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID());
        try {
            Files.writeString(part, text);
            try {
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            } catch (AtomicMoveNotSupportedException none) {
                throw new IOException(
                        file + ": the file system cannot rename in one step; use another", none);
            }
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
