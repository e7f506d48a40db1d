package dev.verbena.conformance.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What a run leaves in `target/hostile` for `bin/hostile`, which makes the page of it.
final class HostileReport {
    private HostileReport() {}

    static void write(String name, String title, String table) throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "hostile"));
        String file = name.replaceAll("[^A-Za-z0-9]+", "-") + ".txt";
        Files.writeString(folder.resolve(file), title + "\n" + table);
    }
}
