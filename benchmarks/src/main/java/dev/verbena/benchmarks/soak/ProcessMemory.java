package dev.verbena.benchmarks.soak;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The resources of a process.
///
/// @param heapBytes what lives in the heap, measured behind a collection
/// @param residentBytes all of its memory that is in use, native memory included
/// @param descriptors files and sockets that it has open
record ProcessMemory(long heapBytes, long residentBytes, int descriptors, int threads) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    static ProcessMemory now() throws IOException {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        int threads = ManagementFactory.getThreadMXBean().getThreadCount();
        try (Stream<Path> open = Files.list(DESCRIPTORS)) {
            return new ProcessMemory(heap, resident(), (int) open.count(), threads);
        }
    }

    private static long resident() throws IOException {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                    .findFirst()
                    .orElseThrow(() -> new IOException(STATUS + " does not tell VmRSS"));
        }
    }
}
