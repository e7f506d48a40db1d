package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import dev.verbena.benchmarks.results.Values;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// UCX over TCP, by `ucx_perftest`: tagged messages, which over TCP are faster than its puts.
final class Ucx implements MeasuredProgram {
    static final String NAME = "UCX, tcp";

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int PORT = 13_470;
    private static final DebianPackage PACKAGE = new DebianPackage("ucx_perftest", "ucx-utils");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<String> obstacle() {
        return PACKAGE.obstacle();
    }

    @Override
    public boolean takes(Subject subject, WireEnds place) {
        return subject.isUsual() && subject.setBytes() == subject.bytes();
    }

    @Override
    public double run(Subject subject, WireEnds place) {
        List<String> test =
                switch (subject.kind()) {
                    case BANDWIDTH -> List.of("tag_bw", "-n", "3000", "-w", "300");
                    case LATENCY -> List.of("tag_lat", "-n", "100000", "-w", "5000");
                    case RATE -> List.of("tag_bw", "-n", "1000000", "-w", "10000");
                };
        List<String> common = List.of("ucx_perftest", "-f", "-v", "-p", Integer.toString(PORT));
        List<String> client =
                Command.join(common, List.of("-s", Integer.toString(subject.bytes())));
        client.add("-t");
        client.addAll(test);
        client.add(place.right().address());
        Map<String, String> environment =
                Map.of("UCX_TLS", "tcp", "UCX_NET_DEVICES", place.device());
        String printed = place.pair(LIMIT, environment, PORT, common, client);
        // iterations, median, average and overall latency, bandwidths, message rates
        String[] cells = printed.strip().lines().toList().getLast().split(",", -1);
        if (cells.length < 8) {
            throw new BenchException("ucx_perftest: unexpected: " + Values.shortened(printed));
        }
        double messagesPerSecond = Double.parseDouble(cells[7]);
        return switch (subject.kind()) {
            case BANDWIDTH -> messagesPerSecond * subject.bytes() * 8 / 1e9;
            case LATENCY -> Double.parseDouble(cells[1]);
            case RATE -> messagesPerSecond / 1e6;
        };
    }
}
