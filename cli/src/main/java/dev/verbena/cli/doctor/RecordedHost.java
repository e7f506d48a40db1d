package dev.verbena.cli.doctor;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// A host as text: lines `path:line of the file`, as `grep -r ""` prints them.
///
/// One file that people can send, read and edit; a path of which there is no more to say stands
/// alone before its colon.
final class RecordedHost implements Host {
    /// Stands for the text of a file that the user may not open.
    static final String CLOSED = "no permission";

    private final TreeMap<String, String> files = new TreeMap<>();

    RecordedHost(String record) {
        record.lines()
                .filter(line -> line.startsWith("/") && line.contains(":"))
                .forEach(this::add);
    }

    private void add(String line) {
        int colon = line.indexOf(':');
        String text = line.substring(colon + 1);
        files.merge(
                line.substring(0, colon),
                text,
                (before, more) -> before.isEmpty() ? more : before + "\n" + more);
    }

    @Override
    public Optional<String> text(String path) {
        return Optional.ofNullable(files.get(path)).map(String::strip);
    }

    @Override
    public List<String> names(String directory) {
        String above = directory + "/";
        return files.tailMap(above).keySet().stream()
                .takeWhile(path -> path.startsWith(above))
                .map(path -> path.substring(above.length()))
                .map(path -> path.contains("/") ? path.substring(0, path.indexOf('/')) : path)
                .distinct()
                .sorted()
                .toList();
    }

    @Override
    public boolean exists(String path) {
        return files.containsKey(path) || !names(path).isEmpty();
    }

    @Override
    public boolean isOpenable(String path) {
        return exists(path) && text(path).filter(CLOSED::equals).isEmpty();
    }
}
