package dev.verbena.cli.lint;

import dev.verbena.lint.InputFile;
import dev.verbena.lint.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An argument `FILE`, `KIND:FILE` or `KIND@DEVICE:FILE`.
///
/// @param name the file as the user wrote it
record FileArgument(Optional<Kind> kind, Optional<String> device, String name) {
    private static final Pattern PREFIXED = Pattern.compile("([a-z_]+)(?:@([^:/]+))?:(.+)");

    static FileArgument parse(String argument) {
        Matcher prefixed = PREFIXED.matcher(argument);
        if (prefixed.matches()) {
            Optional<Kind> kind = Kind.of(prefixed.group(1));
            if (kind.isPresent()) {
                Optional<String> device = Optional.ofNullable(prefixed.group(2));
                return new FileArgument(kind, device, prefixed.group(3));
            }
        }
        return new FileArgument(Optional.empty(), Optional.empty(), argument);
    }

    /// At most a byte more than lint takes, also of a device that never ends.
    ///
    /// @param directory where a relative name begins
    /// @throws IOException in one line that names the file
    InputFile read(Path directory) throws IOException {
        try (InputStream in = Files.newInputStream(directory.resolve(name))) {
            return new InputFile(name, kind, device, in.readNBytes(InputFile.BYTES_MAX + 1));
        } catch (NoSuchFileException none) {
            throw new IOException("no file " + name, none);
        } catch (AccessDeniedException denied) {
            throw new IOException(name + ": no access", denied);
        } catch (InvalidPathException wrong) {
            throw new IOException(name + ": no name of a file", wrong);
        } catch (IOException failed) {
            String message = failed.getMessage();
            throw new IOException(
                    message != null && message.contains(name) ? message : name + ": " + message,
                    failed);
        }
    }
}
