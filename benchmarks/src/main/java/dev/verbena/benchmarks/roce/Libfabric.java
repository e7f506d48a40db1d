package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import dev.verbena.benchmarks.results.Values;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// libfabric with one of its providers, by `fi_pingpong`: one message at a time, both ways, also
/// where bandwidth is asked for.
final class Libfabric implements MeasuredProgram {
    /// Followed by the provider.
    static final String NAME = "libfabric, ";

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int PORT = 47_710;
    private static final DebianPackage PACKAGE = new DebianPackage("fi_pingpong", "libfabric-bin");

    private final String provider;

    Libfabric(String provider) {
        this.provider = provider;
    }

    @Override
    public String name() {
        return NAME + provider;
    }

    @Override
    public Optional<String> obstacle() {
        return PACKAGE.obstacle();
    }

    @Override
    public boolean takes(Subject subject, WireEnds place) {
        return subject.isUsual()
                && subject.setBytes() == subject.bytes()
                && subject.kind() != Subject.Kind.RATE;
    }

    @Override
    public double run(Subject subject, WireEnds place) {
        boolean isLatency = subject.kind() == Subject.Kind.LATENCY;
        String port = Integer.toString(PORT);
        List<String> common =
                List.of(
                        "fi_pingpong",
                        "-e",
                        "rdm",
                        "-p",
                        provider,
                        "-S",
                        Integer.toString(subject.bytes()),
                        "-I",
                        isLatency ? "20000" : "300");
        List<String> client = Command.join(common, List.of("-P", port, place.right().address()));
        List<String> server = Command.join(common, List.of("-B", port));
        String printed = place.pair(LIMIT, Map.of(), PORT, server, client);
        // bytes, sent, acknowledged, total, time, MB/sec, usec/xfer, Mxfers/sec
        String[] cells = printed.strip().lines().toList().getLast().strip().split("\\s+", -1);
        if (cells.length < 8) {
            throw new BenchException("fi_pingpong: unexpected: " + Values.shortened(printed));
        }
        double halfRoundTripUs = Double.parseDouble(cells[6]);
        return isLatency ? halfRoundTripUs : subject.bytes() * 8 / halfRoundTripUs / 1e3;
    }
}
