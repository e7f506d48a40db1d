package dev.verbena.cli;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.PortCounts;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// How the counters of hosts and switches grow, each in a file of comma-separated values: a row for
/// each port, counter and time at which it has changed, and one for each at the end.
final class SimSeries implements AutoCloseable {
    private static final double PS_PER_US = 1e6;

    private final List<Growth> all = new ArrayList<>();

    SimSeries(Fabric fabric, Map<String, Path> files) throws IOException {
        for (Map.Entry<String, Path> entry : files.entrySet()) {
            fabric.counters(entry.getKey());
            all.add(new Growth(fabric, entry.getKey(), Files.newBufferedWriter(entry.getValue())));
        }
    }

    /// Writes the counters that have changed.
    void sample(long nowPs) throws IOException {
        for (Growth each : all) {
            each.sample(nowPs);
        }
    }

    /// Writes all counters as they are at the end.
    void end(long nowPs) throws IOException {
        for (Growth each : all) {
            each.end(nowPs);
        }
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    @Override
    public void close() throws IOException {
        for (Growth each : all) {
            each.file.close();
        }
    }

    /// The newest row of a counter.
    private record Row(long timePs, long value) {}

    /// One node and its file.
    private static final class Growth {
        private final Fabric fabric;
        private final String node;
        private final BufferedWriter file;
        private final Map<String, Row> last = new LinkedHashMap<>();

        Growth(Fabric fabric, String node, BufferedWriter file) throws IOException {
            this.fabric = fabric;
            this.node = node;
            this.file = file;
            file.write("time_us,node,port,counter,value\n");
        }

        void sample(long nowPs) throws IOException {
            for (PortCounts port : fabric.counters(node)) {
                changed(nowPs, port, "queued_bytes", port.queuedBytes());
                for (Map.Entry<String, Long> count : port.counts().entrySet()) {
                    changed(nowPs, port, count.getKey(), count.getValue());
                }
            }
        }

        void end(long nowPs) throws IOException {
            sample(nowPs);
            for (Map.Entry<String, Row> entry : last.entrySet()) {
                if (entry.getValue().timePs != nowPs) {
                    write(entry.getKey(), new Row(nowPs, entry.getValue().value));
                }
            }
        }

        private void changed(long nowPs, PortCounts port, String counter, long value)
                throws IOException {
            String key = port.node() + "," + port.port() + "," + counter;
            Row before = last.get(key);
            if (value != (before == null ? 0 : before.value)) {
                write(key, new Row(nowPs, value));
            }
        }

        private void write(String key, Row row) throws IOException {
            last.put(key, row);
            file.write(
                    String.format(
                            Locale.ROOT, "%.3f,%s,%d\n", row.timePs / PS_PER_US, key, row.value));
        }
    }
}
