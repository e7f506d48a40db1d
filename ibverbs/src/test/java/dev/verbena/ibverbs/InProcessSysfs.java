package dev.verbena.ibverbs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A directory with the kernel's files about devices.
final class InProcessSysfs {
    /// The same for all tests: with the file that only Soft-RoCE has, and without.
    private static final Path PLAIN = make(false);

    private static final Path SOFT_ROCE = make(true);

    private InProcessSysfs() {}

    static Path of(boolean isSoftRoce) {
        return isSoftRoce ? SOFT_ROCE : PLAIN;
    }

    private static Path make(boolean isSoftRoce) {
        try {
            Path root = Files.createTempDirectory("verbena-sysfs");
            root.toFile().deleteOnExit();
            for (String device : InProcessWorld.NAMES) {
                write(root, device + "/fw_ver", "1.2.3");
                write(root, device + "/ports/1/rate", "100 Gb/sec (4X EDR)");
                write(root, device + "/ports/1/counters/port_xmit_data", "17");
                write(root, device + "/ports/1/hw_counters/sent_pkts", "12");
                List<Integer> keys = InProcessWorld.PARTITION_KEYS;
                for (int i = 0; i < keys.size(); i++) {
                    write(root, device + "/ports/1/pkeys/" + i, "0x%04x".formatted(keys.get(i)));
                }
                if (isSoftRoce) {
                    write(root, device + "/parent", "eth0");
                }
            }
            return root;
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    /// Files and directories go when the JVM does.
    static void write(Path root, String name, String text) throws IOException {
        Path at = root;
        for (Path part : Path.of(name)) {
            at = at.resolve(part);
            at.toFile().deleteOnExit();
        }
        Files.createDirectories(at.getParent());
        Files.writeString(at, text + "\n");
    }
}
