package dev.verbena.ibverbs;

import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the kernel tells of a device in files: addresses, counters, the speed of a link.
final class Sysfs {
    private static final String ROOT = "/sys/class/infiniband";
    private static final int MOST_GIDS = 256;

    private final Path device;

    Sysfs(String device) {
        this.device = Path.of(ROOT, device);
    }

    /// An address of a port, and where the device keeps it.
    record Entry(int index, Gid gid, boolean isRoutable) {}

    /// The addresses that packets can be sent from, those first that reach farthest: on Ethernet
    /// IPv4, then IPv6, then those of the link; RoCE v1 is left out where v2 is. On InfiniBand as
    /// the port has them.
    List<Entry> gids(int port, boolean isEthernet) {
        List<Entry> all = new ArrayList<>();
        Path folder = port(port).resolve("gids");
        for (int index = 0; index < MOST_GIDS; index++) {
            Path file = folder.resolve(Integer.toString(index));
            if (!Files.exists(file)) {
                break;
            }
            Gid gid = gid(read(file));
            String type = read(port(port).resolve("gid_attrs/types/" + index));
            if (!gid.equals(Gid.NONE) && (!isEthernet || !type.endsWith("v1"))) {
                all.add(new Entry(index, gid, isRoutable(gid)));
            }
        }
        if (isEthernet) {
            all.sort(
                    (one, other) ->
                            rank(one) != rank(other)
                                    ? Integer.compare(rank(one), rank(other))
                                    : Integer.compare(one.index(), other.index()));
        }
        return List.copyOf(all);
    }

    private static int rank(Entry entry) {
        if (entry.gid().isIpv4()) {
            return 0;
        }
        return entry.isRoutable() ? 1 : 2;
    }

    private static boolean isRoutable(Gid gid) {
        return gid.high() >>> 54 != 0xFE80 >>> 6;
    }

    /// The kernel writes all eight groups out.
    private static Gid gid(String text) {
        try {
            return text.isEmpty() ? Gid.NONE : Gid.parse(text);
        } catch (RuntimeException unreadable) {
            return Gid.NONE;
        }
    }

    List<Integer> partitionKeys(int port) {
        List<Integer> keys = new ArrayList<>();
        for (int index = 0; Files.exists(key(port, index)); index++) {
            int value = Integer.decode(read(key(port, index)));
            if (value != 0) {
                keys.add(value);
            }
        }
        return List.copyOf(keys);
    }

    private Path key(int port, int index) {
        return port(port).resolve("pkeys/" + index);
    }

    /// The speed of a link, from words such as `100 Gb/sec (4X EDR)`; 0 when nobody knows.
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

    /// Whether it is Soft-RoCE, which alone tells the network device that it sits on so.
    boolean isRxe() {
        return Files.exists(device.resolve("parent"));
    }

    /// The number of the network interface that an address of a port belongs to; 0 when unknown.
    int interfaceNumber(int port, int gidIndex) {
        String name = read(port(port).resolve("gid_attrs/ndevs/" + gidIndex));
        String number = name.isEmpty() ? "" : read(Path.of("/sys/class/net", name, "ifindex"));
        return number.isEmpty() ? 0 : Integer.parseInt(number);
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
