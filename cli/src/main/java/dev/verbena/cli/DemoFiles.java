package dev.verbena.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The captures of `verbena demo`: in a directory of the user, or in one that is deleted at the
/// end, also when the program is interrupted.
final class DemoFiles implements AutoCloseable {
    private static final List<String> NAMES = List.of("roce.pcapng", "fabric.pcapng");

    private final Path directory;
    private final @Nullable Thread atExit;

    DemoFiles(@Nullable Path kept) throws IOException {
        if (kept != null) {
            directory = Files.createDirectories(kept);
            atExit = null;
        } else {
            directory = Files.createTempDirectory("verbena-demo");
            atExit = new Thread(this::delete);
            Runtime.getRuntime().addShutdownHook(atExit);
        }
    }

    Path roce() {
        return directory.resolve(NAMES.get(0));
    }

    Path fabric() {
        return directory.resolve(NAMES.get(1));
    }

    boolean isKept() {
        return atExit == null;
    }

    private void delete() {
        try {
            for (String name : NAMES) {
                Files.deleteIfExists(directory.resolve(name));
            }
            Files.deleteIfExists(directory);
        } catch (IOException kept) {
            // It is in the directory for temporary files, which the system clears.
        }
    }

    @Override
    public void close() {
        if (atExit == null) {
            return;
        }
        delete();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException ending) {
            // The program is interrupted, and the hook runs.
        }
    }
}
