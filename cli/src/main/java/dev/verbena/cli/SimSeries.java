package dev.verbena.cli;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.PortCounts;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// How the counters of a host or switch grow, as a file of comma-separated values: a row for each
/// port, counter and time at which it has changed.
final class SimSeries implements AutoCloseable {
    private static final double PS_PER_US = 1e6;

    private final Fabric fabric;
    private final Map<String, BufferedWriter> writers = new LinkedHashMap<>();
    private final Map<String, Long> last = new LinkedHashMap<>();

    SimSeries(Fabric fabric, Map<String, Path> files) throws IOException {
        this.fabric = fabric;
        for (Map.Entry<String, Path> entry : files.entrySet()) {
            fabric.counters(entry.getKey());
            BufferedWriter writer = Files.newBufferedWriter(entry.getValue());
            writer.write("time_us,node,port,counter,value\n");
            writers.put(entry.getKey(), writer);
        }
    }

    /// Writes the counters that have changed.
    void sample(long nowPs) throws IOException {
        for (Map.Entry<String, BufferedWriter> entry : writers.entrySet()) {
            for (PortCounts port : fabric.counters(entry.getKey())) {
                write(entry.getValue(), nowPs, port, "queued_bytes", port.queuedBytes());
                for (Map.Entry<String, Long> count : port.counts().entrySet()) {
                    write(entry.getValue(), nowPs, port, count.getKey(), count.getValue());
                }
            }
        }
    }

    private void write(BufferedWriter to, long nowPs, PortCounts port, String counter, long value)
            throws IOException {
        String key = port.node() + "," + port.port() + "," + counter;
        Long before = last.put(key, value);
        if (before == null ? value != 0 : before != value) {
            to.write(String.format(Locale.ROOT, "%.3f,%s,%d\n", nowPs / PS_PER_US, key, value));
        }
    }

    boolean isEmpty() {
        return writers.isEmpty();
    }

    @Override
    public void close() throws IOException {
        for (BufferedWriter writer : writers.values()) {
            writer.close();
        }
    }
}
