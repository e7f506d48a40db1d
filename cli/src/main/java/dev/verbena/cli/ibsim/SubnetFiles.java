package dev.verbena.cli.ibsim;

import dev.verbena.subnet.DumpFile;
import dev.verbena.subnet.SubnetManager;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// A directory with the files that OpenSM writes of a subnet. Each is replaced as a whole.
public final class SubnetFiles {
    private final Path directory;
    private final PrintWriter err;

    /// Makes the directory, if it is not there.
    ///
    /// @param err gets a line when files cannot be written later
    public SubnetFiles(Path directory, PrintWriter err) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.err = err;
    }

    /// Writes the subnet as it is now. The manager goes on if the disk is full.
    public void write(SubnetManager manager) {
        try {
            for (DumpFile file : DumpFile.values()) {
                Path made = directory.resolve(file.fileName());
                Path next = directory.resolve(file.fileName() + ".new");
                try (Writer to = Files.newBufferedWriter(next)) {
                    manager.dump(file, to);
                }
                Files.move(
                        next,
                        made,
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException failed) {
            err.println(
                    directory + ": files of the subnet are not written: " + failed.getMessage());
            err.flush();
        }
    }
}
