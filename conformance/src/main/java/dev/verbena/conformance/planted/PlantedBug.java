package dev.verbena.conformance.planted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// One bug to plant: an exact piece of text in one source file, and what to put in its place.
///
/// `file` is the end of a path below the source root, `Bth.java` or `wire/Bth.java`.
public record PlantedBug(String name, Path file, String find, String replace) {

    /// Edits the copy of the sources below `root`.
    void plantIn(Path root) throws IOException {
        Path target = locate(root);
        Files.writeString(target, edited(target));
    }

    /// Fails unless the bug fits the sources below `root`, which stay as they are.
    void requireFit(Path root) throws IOException {
        edited(locate(root));
    }

    /// The file with the bug in it. The text must be there exactly once, so that a plan cannot
    /// outlive the code it was written for.
    private String edited(Path target) throws IOException {
        String source = Files.readString(target);
        int at = source.indexOf(find);
        if (at < 0) {
            throw stale("is not in " + file + " any more");
        }
        if (source.indexOf(find, at + 1) >= 0) {
            throw stale("is in " + file + " more than once");
        }
        return source.substring(0, at) + replace + source.substring(at + find.length());
    }

    private Path locate(Path root) throws IOException {
        List<Path> matches;
        try (Stream<Path> files = Files.walk(root)) {
            matches = files.filter(path -> path.endsWith(file)).toList();
        }
        if (matches.size() != 1) {
            throw new PlantedException(
                    "bug '" + name + "': " + matches.size() + " files are called " + file);
        }
        return matches.getFirst();
    }

    private PlantedException stale(String what) {
        return new PlantedException("bug '" + name + "': the text to find " + what + ": " + find);
    }
}
