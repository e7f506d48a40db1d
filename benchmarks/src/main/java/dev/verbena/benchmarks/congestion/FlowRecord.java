package dev.verbena.benchmarks.congestion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// How many bytes of each flow had arrived, and when; and the files in which that is kept.
final class FlowRecord {
    private static final String TAB = "\t";

    private final int flows;
    private final List<Double> times = new ArrayList<>();
    private final List<long[]> bytes = new ArrayList<>();

    FlowRecord(int flows) {
        this.flows = flows;
    }

    int flows() {
        return flows;
    }

    double seconds() {
        return times.getLast();
    }

    void add(double seconds, long[] ofEach) {
        times.add(seconds);
        bytes.add(ofEach);
    }

    /// The rate of a flow between two times, in Mb/s, from the samples nearest to them.
    double rate(int flow, double fromSeconds, double toSeconds) {
        int from = at(fromSeconds);
        int to = at(toSeconds);
        long arrived = bytes.get(to)[flow] - bytes.get(from)[flow];
        return arrived * 8 / 1e6 / (times.get(to) - times.get(from));
    }

    private int at(double seconds) {
        int index = 0;
        while (index < times.size() - 1 && times.get(index) < seconds) {
            index++;
        }
        return index;
    }

    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < times.size(); i++) {
            StringBuilder line = new StringBuilder("%.4f".formatted(times.get(i)));
            Arrays.stream(bytes.get(i)).forEach(count -> line.append(TAB).append(count));
            lines.add(line.toString());
        }
        Files.write(file, lines);
    }

    static FlowRecord read(Path file) throws IOException {
        FlowRecord record = null;
        for (String line : Files.readAllLines(file)) {
            String[] cells = line.split(TAB, -1);
            if (record == null) {
                record = new FlowRecord(cells.length - 1);
            }
            long[] ofEach =
                    Arrays.stream(cells, 1, cells.length).mapToLong(Long::parseLong).toArray();
            record.add(Double.parseDouble(cells[0]), ofEach);
        }
        if (record == null) {
            throw new IOException(file + " is empty: did the senders run?");
        }
        return record;
    }

    static void counters(Path file, SortedMap<String, Long> counters) throws IOException {
        List<String> lines = new ArrayList<>();
        counters.forEach((name, count) -> lines.add(name + TAB + count));
        Files.write(file, lines);
    }

    static Map<String, Long> counters(Path file) throws IOException {
        Map<String, Long> counters = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] cells = line.split(TAB, -1);
            counters.put(cells[0], Long.parseLong(cells[1]));
        }
        return counters;
    }
}
