package dev.verbena.ibverbs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/// The files of the kernel about a device: addresses, counters, the speed of a link.
final class Sysfs {
    /// Where Linux has them.
    static final Path ROOT = Path.of("/sys/class/infiniband");

    private final Path device;

    /// @param root the directory of all devices
    Sysfs(Path root, String device) {
        this.device = root.resolve(device);
    }

    /// A partition key of a port; 0 where there is none at this index.
    int partitionKey(int port, int index) {
        String text = read(port(port).resolve("pkeys/" + index));
        return text.isEmpty() ? 0 : Integer.decode(text);
    }

    /// The types of a port's addresses, as text of the kernel's, and the addresses.
    String gidType(int port, int index) {
        return read(port(port).resolve("gid_attrs/types/" + index));
    }

    String gid(int port, int index) {
        return read(port(port).resolve("gids/" + index));
    }

    /// The speed of a link, from words such as `100 Gb/sec (4X EDR)`; 0 when it is not known.
    long bitsPerSecond(int port) {
        String[] words = read(port(port).resolve("rate")).split(" ", -1);
        try {
            return words.length > 1 && words[1].startsWith("Gb")
                    ? Math.round(Double.parseDouble(words[0]) * 1e9)
                    : 0;
        } catch (NumberFormatException unreadable) {
            return 0;
        }
    }

    /// All counters of a port by name; those of the hardware where both have a name.
    SortedMap<String, Long> counters(int port) {
        SortedMap<String, Long> counters = new TreeMap<>();
        collect(port(port).resolve("counters"), counters);
        collect(port(port).resolve("hw_counters"), counters);
        collect(device.resolve("hw_counters"), counters);
        return counters;
    }

    private static void collect(Path folder, SortedMap<String, Long> counters) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String text = read(file);
                if (!text.isEmpty() && text.chars().allMatch(Character::isDigit)) {
                    counters.put(file.getFileName().toString(), Long.parseUnsignedLong(text));
                }
            }
        } catch (IOException absent) {
            // Not every device has both.
        }
    }

    /// Whether it is Soft-RoCE, the only driver with a file that names its network device.
    boolean isRxe() {
        return Files.exists(device.resolve("parent"));
    }

    String firmware() {
        return read(device.resolve("fw_ver"));
    }

    private Path port(int number) {
        return device.resolve("ports/" + number);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException unreadable) {
            // An entry that is not in use is unreadable, not empty.
            return "";
        }
    }
}
