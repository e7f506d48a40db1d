package dev.verbena.cli.ibsim;

import dev.verbena.subnet.SubnetManager;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/// Puts a file of partitions into force, and again when it has changed: all of it or nothing. A
/// file that is wrong is named, and the partitions stay as they were.
///
/// A file that changes is read when it has been the same for a second: half of a file may be one
/// without a mistake.
public final class PartitionWatch {
    private static final long LOOK_NS = 1_000_000_000L;

    private final Path file;
    private final SubnetManager manager;
    private final PrintWriter err;
    private Stamp applied;
    private Stamp seen;
    private long nextNs;
    private volatile boolean isAsked;

    /// By what a change of a file is noticed.
    private record Stamp(FileTime time, long bytes) {
        static Stamp of(Path file) throws IOException {
            return new Stamp(Files.getLastModifiedTime(file), Files.size(file));
        }
    }

    /// Reads the file the first time.
    ///
    /// @throws IllegalArgumentException for a file that is wrong, with its line
    public PartitionWatch(Path file, SubnetManager manager, PrintWriter err) throws IOException {
        this.file = file;
        this.manager = manager;
        this.err = err;
        nextNs = System.nanoTime() + LOOK_NS;
        applied = Stamp.of(file);
        seen = applied;
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

    /// Has the file read in the next turn, whether it has changed or not; from any thread.
    public void reload() {
        isAsked = true;
    }

    /// Looks at the file, at most once a second.
    public void look() {
        boolean isReload = isAsked;
        if (!isReload && System.nanoTime() - nextNs < 0) {
            return;
        }
        isAsked = false;
        nextNs = System.nanoTime() + LOOK_NS;
        try {
            Stamp now = Stamp.of(file);
            boolean isSettled = now.equals(seen) && !now.equals(applied);
            seen = now;
            if (isReload || isSettled) {
                applied = now;
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
