package dev.verbena.cli.scenario;

import dev.verbena.scenario.Scenario;
import dev.verbena.scenario.read.Problem;
import dev.verbena.scenario.read.ScenarioReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A scenario on disk, and the files that it may name: those in its folder and below, unless all
/// are allowed. A scenario may come from somewhere else, and a report shows what was read.
record ScenarioFile(Path path, boolean mayNameAll) {
    private static final long BYTES_MAX = 1 << 26;

    /// A scenario with its text.
    record Loaded(Scenario scenario, String text) {}

    /// What it says; null after its mistakes were printed.
    @Nullable Loaded load(PrintWriter err) throws IOException {
        if (Files.size(path) > BYTES_MAX) {
            throw new IOException(path + " has more than 64 MiB; a scenario is short");
        }
        return parse(Files.readString(path), err);
    }

    /// The same for a text that belongs at this place.
    @Nullable Loaded parse(String text, PrintWriter err) {
        ScenarioReader.Reading read = ScenarioReader.read(path.toString(), text, this::lines);
        for (Problem each : read.problems()) {
            err.println(each);
        }
        err.flush();
        Scenario scenario = read.scenario();
        return scenario == null ? null : new Loaded(scenario, text);
    }

    /// A file that the scenario names, beside it.
    List<String> lines(String name) {
        Path beside = path.resolveSibling(name);
        try {
            Path real = beside.toRealPath();
            Path folder = path.toAbsolutePath().resolveSibling("").toRealPath();
            if (!mayNameAll && !real.startsWith(folder)) {
                throw new IllegalArgumentException(
                        "%s is not in the scenario's folder; put it there, or allow it with"
                                        .formatted(beside)
                                + " --any-file");
            }
            if (Files.size(real) > BYTES_MAX) {
                throw new IllegalArgumentException(beside + " has more than 64 MiB");
            }
            return Files.readAllLines(real);
        } catch (IOException none) {
            throw new IllegalArgumentException(
                    "no file %s can be read; name it relative to the scenario".formatted(beside),
                    none);
        }
    }
}
