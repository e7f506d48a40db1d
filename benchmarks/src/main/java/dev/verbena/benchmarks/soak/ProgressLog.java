package dev.verbena.benchmarks.soak;

import dev.verbena.verbs.Device;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;

/// The progress of one side, written every few seconds.
final class ProgressLog implements AutoCloseable {
    private static final long PERIOD_NS = 10_000_000_000L;

    long bytes;
    long messages;
    long connections;

    private final Device device;
    private final PrintWriter out;
    private final long beginNs = System.nanoTime();
    private long nextNs = beginNs + PERIOD_NS;
    private int wrong;

    ProgressLog(Device device, Path file) throws IOException {
        this.device = device;
        Files.createDirectories(file.toAbsolutePath().getParent());
        out = new PrintWriter(Files.newBufferedWriter(file), true);
        out.println(Sample.HEAD);
    }

    /// Something is not as it must be.
    void wrong(String what) {
        wrong++;
        System.out.printf("after %.1f s: %s%n", seconds(), what);
    }

    boolean isRight() {
        return wrong == 0;
    }

    double seconds() {
        return (System.nanoTime() - beginNs) / 1e9;
    }

    /// Writes a line when it is time for one.
    void look() throws IOException {
        if (System.nanoTime() >= nextNs) {
            nextNs += PERIOD_NS;
            write();
        }
    }

    private void write() throws IOException {
        SortedMap<String, Long> counters = device.counters();
        Sample sample =
                new Sample(
                        seconds(),
                        bytes,
                        messages,
                        connections,
                        counters.getOrDefault("packet_seq_err", 0L)
                                + counters.getOrDefault("implied_nak_seq_err", 0L),
                        counters.getOrDefault("local_ack_timeout_err", 0L),
                        ProcessMemory.now());
        out.println(sample.toLine());
        System.out.printf(
                "%.0f s: %,d MB, %,d messages, %,d connections, %d wrong%n",
                sample.seconds(), bytes / 1_000_000, messages, connections, wrong);
    }

    @Override
    public void close() throws IOException {
        write();
        out.close();
    }
}
