package dev.verbena.cli.metrics;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// A file of figures. It is replaced as a whole, so that a reader never sees half of one.
final class MetricFile implements MetricSink {
    private final Path file;
    private final Path next;
    private final PrintWriter err;
    private boolean isFailing;

    /// Writes a file without figures.
    ///
    /// @throws IOException if it cannot be written
    MetricFile(Path file, PrintWriter err) throws IOException {
        this.file = file;
        this.err = err;
        // A collector takes names that end in .prom, so not this one.
        next = file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid());
        try {
            write("");
        } catch (NoSuchFileException none) {
            throw new IOException(
                    "--metrics %s: no such directory; a port is a number".formatted(file), none);
        }
    }

    private void write(String text) throws IOException {
        Files.writeString(next, text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// The program goes on without a disk: it says so once.
    @Override
    public void publish(MetricText figures) {
        try {
            write(figures.toString());
            isFailing = false;
        } catch (IOException failed) {
            if (!isFailing) {
                err.println(file + ": figures are not written: " + failed.getMessage());
                err.flush();
            }
            isFailing = true;
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(next);
    }
}
