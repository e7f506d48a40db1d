package dev.verbena.fabric;

import dev.verbena.verbs.InvalidRequestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// Reads the topology file that a URI asks for; nothing else of the module touches files.
final class TopologyFile {
    private TopologyFile() {}

    static Topology read(String name) {
        try {
            Path file = Path.of(name);
            return Netfile.parse(String.valueOf(file.getFileName()), Files.readAllLines(file));
        } catch (IOException | InvalidPathException unreadable) {
            throw new InvalidRequestException(
                    "topology " + name,
                    "it cannot be read: " + unreadable,
                    "name a file in the form of ibnetdiscover");
        }
    }
}
