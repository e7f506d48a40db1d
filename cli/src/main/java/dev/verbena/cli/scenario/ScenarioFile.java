package dev.verbena.cli.scenario;

import dev.verbena.scenario.Scenario;
import dev.verbena.scenario.read.Problem;
import dev.verbena.scenario.read.ScenarioReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
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

    private @Nullable Loaded parse(String text, PrintWriter err) {
        return parse(text, this::lines, err);
    }

    /// The same for a text that belongs at this place.
    @Nullable Loaded parse(String text, ScenarioReader.Files files, PrintWriter err) {
        ScenarioReader.Reading read = ScenarioReader.read(path.toString(), text, files);
        for (Problem each : read.problems()) {
            err.println(each);
        }
        err.flush();
        Scenario scenario = read.scenario();
        return scenario == null ? null : new Loaded(scenario, text);
    }

    /// A file that the scenario names, beside it.
    List<String> lines(String name) {
        try {
            return read(name);
        } catch (IOException none) {
            throw new IllegalArgumentException(
                    "no file %s can be read; name it relative to the scenario"
                            .formatted(path.resolveSibling(name)),
                    none);
        }
    }

    /// The same where the file was there before: that it cannot be read is no mistake of the
    /// scenario, and may be over soon.
    List<String> keptLines(String name) {
        try {
            return read(name);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private List<String> read(String name) throws IOException {
        Path beside = path.resolveSibling(name);
        Path real = beside.toRealPath();
        if (!mayNameAll && !real.startsWith(folderOf(path))) {
            throw new IllegalArgumentException(
                    "%s is not in the scenario's folder; put it there, or allow it with --any-file"
                            .formatted(beside));
        }
        if (Files.size(real) > BYTES_MAX) {
            throw new IllegalArgumentException(beside + " has more than 64 MiB");
        }
        return Files.readAllLines(real);
    }

    /// Where a file is, without links.
    static Path folderOf(Path file) throws IOException {
        return file.toAbsolutePath().resolveSibling("").toRealPath();
    }
}
