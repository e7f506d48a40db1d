package dev.verbena.benchmarks.congestion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// What one run has left behind.
///
/// @param flows what arrived of each, and when
/// @param sent counters of all senders
/// @param received counters of the receiver
/// @param port counters of the bottleneck, towards the receiver
/// @param stolen percent of the processors' time that other machines took
record Run(
        FlowRecord flows,
        Map<String, Long> sent,
        Map<String, Long> received,
        Map<String, Long> port,
        double stolen) {

    /// Beside a device's counters: flows that lost too much to go on.
    static final String GIVEN_UP = "flows_given_up";

    static Run read(Path directory, String name) throws IOException {
        return new Run(
                FlowRecord.read(directory.resolve(name + ".tsv")),
                FlowRecord.counters(directory.resolve(name + ".tsv.counters")),
                FlowRecord.counters(directory.resolve(name + ".received")),
                port(directory.resolve(name + ".queue")),
                Double.parseDouble(Files.readString(directory.resolve(name + ".stolen")).strip()));
    }

    /// `there frames 1 marked 2 …`, as the bottleneck says it at its end.
    private static Map<String, Long> port(Path file) throws IOException {
        for (String line : Files.readAllLines(file)) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("there")) {
                Map<String, Long> counters = new TreeMap<>();
                for (int i = 1; i + 1 < words.length; i += 2) {
                    counters.put(words[i], Long.parseLong(words[i + 1]));
                }
                return counters;
            }
        }
        throw new IOException(file + " has no counts: the bottleneck did not end as it should");
    }

    /// The rates of all flows between two times, least first, in Mb/s.
    double[] rates(double fromSeconds, double toSeconds) {
        double[] rates =
                IntStream.range(0, flows.flows())
                        .mapToDouble(flow -> flows.rate(flow, fromSeconds, toSeconds))
                        .toArray();
        Arrays.sort(rates);
        return rates;
    }

    long sent(String counter) {
        return sent.getOrDefault(counter, 0L);
    }

    long received(String counter) {
        return received.getOrDefault(counter, 0L);
    }

    long port(String counter) {
        return port.getOrDefault(counter, 0L);
    }
}
