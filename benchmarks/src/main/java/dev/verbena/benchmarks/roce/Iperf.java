package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.Values;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A bare TCP stream, by iperf3.
final class Iperf implements MeasuredProgram {
    static final String NAME = "iperf3, TCP";

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int PORT = 5_270;
    private static final DebianPackage PACKAGE = new DebianPackage("iperf3", "iperf3");

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
        return subject.isUsual()
                && subject.setBytes() == subject.bytes()
                && subject.kind() == Subject.Kind.BANDWIDTH;
    }

    @Override
    public double run(Subject subject, WireEnds place) {
        String port = Integer.toString(PORT);
        List<String> server = List.of("iperf3", "-s", "-1", "-p", port);
        List<String> client =
                List.of(
                        "iperf3",
                        "-c",
                        place.right().address(),
                        "-p",
                        port,
                        "-t",
                        "1",
                        "-l",
                        Integer.toString(subject.bytes()),
                        "-J");
        String json = place.pair(LIMIT, Map.of(), PORT, server, client);
        int end = json.indexOf("\"sum_received\"");
        return Values.number(json.substring(Math.max(0, end)), "bits_per_second") / 1e9;
    }
}
