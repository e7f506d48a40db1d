package dev.verbena.cli.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The files below a directory: of this machine when it is `/`, else a copy.
final class DirectoryHost implements Host {
    // The largest that is looked at, a table of sockets, has 130 bytes a socket.
    private static final int BYTES_MAX = 1 << 22;

    private final Path root;

    DirectoryHost(Path root) {
        this.root = root;
    }

    @Override
    public Optional<String> text(String path) {
        Path file = file(path);
        if (!Files.isRegularFile(file)) {
            return Optional.empty(); // reading a device or a pipe might wait for ever
        }
        try (InputStream in = Files.newInputStream(file)) {
            String text = new String(in.readNBytes(BYTES_MAX), StandardCharsets.UTF_8);
            return Optional.of(text.strip());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    @Override
    public List<String> names(String directory) {
        try (Stream<Path> files = Files.list(file(directory))) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        } catch (IOException | UncheckedIOException _) {
            return List.of();
        }
    }

    @Override
    public boolean exists(String path) {
        return Files.exists(file(path));
    }

    @Override
    public boolean isOpenable(String path) {
        return Files.isReadable(file(path)) && Files.isWritable(file(path));
    }

    private Path file(String path) {
        return root.resolve(path.substring(1));
    }
}
