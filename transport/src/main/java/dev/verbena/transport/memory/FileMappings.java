package dev.verbena.transport.memory;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Tells memory of mapped files from other memory: touching it after the file is cut short ends the
/// JVM. A segment of a view of a mapped buffer does not say so itself, but the kernel does.
public final class FileMappings {
    private static final Path MAPS = Path.of("/proc/self/maps");

    /// Named like files, and none that a program could cut.
    private static final List<String> ANONYMOUS = List.of("/dev/zero", "/anon_hugepage", "/SYSV");

    private FileMappings() {}

    /// Whether a byte of the range belongs to a file; false where the system does not tell.
    public static boolean cover(long address, long bytes) {
        if (bytes == 0) {
            return false;
        }
        try (BufferedReader maps = Files.newBufferedReader(MAPS)) {
            for (String line = maps.readLine(); line != null; line = maps.readLine()) {
                if (overlaps(line, address, bytes) && isFile(line)) {
                    return true;
                }
            }
            return false;
        } catch (IOException | RuntimeException unknown) {
            return false;
        }
    }

    /// A line begins with the first address and the one after the last.
    private static boolean overlaps(String line, long address, long bytes) {
        int dash = line.indexOf('-');
        long first = Long.parseUnsignedLong(line, 0, dash, 16);
        long end = Long.parseUnsignedLong(line, dash + 1, line.indexOf(' '), 16);
        return Long.compareUnsigned(first, address + bytes) < 0
                && Long.compareUnsigned(end, address) > 0;
    }

    private static boolean isFile(String line) {
        int name = line.indexOf('/');
        return name >= 0 && ANONYMOUS.stream().noneMatch(one -> line.startsWith(one, name));
    }
}
