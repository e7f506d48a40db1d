package dev.verbena.virtual;

import dev.verbena.verbs.NoDeviceException;
import dev.verbena.wire.capture.CaptureWriter;
import dev.verbena.wire.capture.LinkType;
import dev.verbena.wire.capture.PcapWriter;
import dev.verbena.wire.capture.PcapngWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Opens the file that a URI asks for: the one place of this module that touches files.
final class CaptureFile {
    private CaptureFile() {}

    /// A writer of pcap or, depending on the end of the name, of pcapng; an existing file is
    /// overwritten.
    static CaptureWriter create(String name) {
        try {
            Path path = Path.of(name);
            Path directory = path.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            FileChannel channel =
                    FileChannel.open(
                            path,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.TRUNCATE_EXISTING);
            return name.endsWith(".pcapng")
                    ? PcapngWriter.on(channel, LinkType.ETHERNET)
                    : PcapWriter.on(channel, LinkType.ETHERNET);
        } catch (IOException | InvalidPathException failure) {
            throw new NoDeviceException(
                    "virtual network",
                    "the capture " + name + " cannot be written: " + failure,
                    "name another file, or leave pcap out",
                    failure);
        }
    }
}
