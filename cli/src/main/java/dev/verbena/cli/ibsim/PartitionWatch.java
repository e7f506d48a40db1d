package dev.verbena.cli.ibsim;

import dev.verbena.subnet.SubnetManager;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/// Puts a file of partitions into force, and again when it has changed. A file that is wrong is
/// named, and the partitions stay as they were.
public final class PartitionWatch {
    private static final long LOOK_NS = 1_000_000_000L;

    private final Path file;
    private final SubnetManager manager;
    private final PrintWriter err;
    private FileTime seen;
    private long nextNs;

    /// Reads the file the first time.
    ///
    /// @throws IllegalArgumentException for a file that is wrong, with its line
    public PartitionWatch(Path file, SubnetManager manager, PrintWriter err) throws IOException {
        this.file = file;
        this.manager = manager;
        this.err = err;
        nextNs = System.nanoTime() + LOOK_NS;
        seen = Files.getLastModifiedTime(file);
        apply();
    }

    private void apply() throws IOException {
        try {
            manager.partitions(System.nanoTime(), Files.readString(file));
        } catch (MalformedInputException binary) {
            throw new IllegalArgumentException(file + ": no text in UTF-8", binary);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(file + ": " + wrong.getMessage(), wrong);
        }
    }

    /// Looks at the file, at most once a second.
    void look() {
        if (System.nanoTime() - nextNs < 0) {
            return;
        }
        nextNs = System.nanoTime() + LOOK_NS;
        try {
            FileTime now = Files.getLastModifiedTime(file);
            if (!now.equals(seen)) {
                seen = now;
                apply();
                err.println(file + ": partitions are in force");
            }
        } catch (IOException gone) {
            err.println(file + ": not read, partitions stay: " + gone.getMessage());
        } catch (IllegalArgumentException wrong) {
            err.println(wrong.getMessage() + "; partitions stay as they were");
        }
        err.flush();
    }
}
