package dev.verbena.conformance.tidy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The files that git would track, held in memory, with the Java ones parsed.
final class SourceTree {
    private static final Set<String> SKIPPED = Set.of("target", "node_modules");
    private static final Set<String> DOT_DIRECTORIES = Set.of(".ci", ".mvn");
    // Larger files are data; no rule reads them, but links may point to them.
    private static final long TEXT_BYTES_MAX = 2 << 20;

    private final TreeMap<String, SourceFile> files = new TreeMap<>();
    private final List<JavaFile> java;

    private SourceTree(List<SourceFile> files) {
        files.forEach(file -> this.files.put(file.path(), file));
        this.java = JavaFile.parse(files().stream().filter(SourceFile::isJava).toList());
    }

    /// A tree of text files, for tests of the rules.
    static SourceTree of(Map<String, String> texts) {
        List<SourceFile> files = new ArrayList<>();
        texts.forEach((path, text) -> files.add(new SourceFile(path, text, false)));
        return new SourceTree(files);
    }

    static SourceTree read(Path root) throws IOException {
        List<PathMatcher> ignored = ignored(root.resolve(".gitignore"));
        List<SourceFile> files = new ArrayList<>();
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<Path>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attrs) {
                        return dir.equals(root) || entered(dir.getFileName().toString())
                                ? FileVisitResult.CONTINUE
                                : FileVisitResult.SKIP_SUBTREE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attrs)
                            throws IOException {
                        // In a git worktree `.git` is a file that names a directory elsewhere.
                        boolean skipped =
                                file.endsWith(".git")
                                        || ignored.stream()
                                                .anyMatch(m -> m.matches(file.getFileName()));
                        if (!skipped && attrs.isRegularFile()) {
                            files.add(file(root, file, attrs.size()));
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return new SourceTree(files);
    }

    /// The root of the checkout: the property `verbena.root`, else the nearest directory upwards
    /// that holds `.mvn`.
    static Path root() {
        String given = System.getProperty("verbena.root", "");
        if (!given.isEmpty()) {
            return Path.of(given);
        }
        Path start = Path.of("").toAbsolutePath();
        for (Path at = start; at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve(".mvn"))) {
                return at;
            }
        }
        throw new IllegalStateException("no directory with .mvn above " + start);
    }

    List<SourceFile> files() {
        return List.copyOf(files.values());
    }

    List<SourceFile> textFiles() {
        return files.values().stream().filter(file -> !file.binary()).toList();
    }

    List<JavaFile> java() {
        return java;
    }

    Optional<SourceFile> file(String path) {
        return Optional.ofNullable(files.get(path));
    }

    /// Whether a file or a directory of this path is in the tree; the empty path is the root.
    boolean holds(String path) {
        String below = files.ceilingKey(path + "/");
        return path.isEmpty()
                || files.containsKey(path)
                || (below != null && below.startsWith(path + "/"));
    }

    private static boolean entered(String directory) {
        return !SKIPPED.contains(directory)
                && (!directory.startsWith(".") || DOT_DIRECTORIES.contains(directory));
    }

    /// Patterns for file names only: the directories git ignores are skipped by name.
    private static List<PathMatcher> ignored(Path gitignore) throws IOException {
        if (!Files.exists(gitignore)) {
            return List.of();
        }
        return Files.readAllLines(gitignore).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.contains("/"))
                .map(line -> FileSystems.getDefault().getPathMatcher("glob:" + line))
                .toList();
    }

    private static SourceFile file(Path root, Path file, long size) throws IOException {
        String path = root.relativize(file).toString().replace('\\', '/');
        if (size > TEXT_BYTES_MAX) {
            return new SourceFile(path, "", true);
        }
        try {
            byte[] bytes = Files.readAllBytes(file);
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            boolean binary = text.indexOf('\0') >= 0;
            return new SourceFile(path, binary ? "" : text, binary);
        } catch (CharacterCodingException notText) {
            return new SourceFile(path, "", true);
        }
    }
}
