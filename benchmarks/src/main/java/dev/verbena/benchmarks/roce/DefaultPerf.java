package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.Command;
import dev.verbena.benchmarks.results.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// `verbena perf write bw` as it comes: no flag but the size and the time.
final class DefaultPerf implements MeasuredProgram {
    static final String NAME = "Verbena, default flags";

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int PORT = 18_562;
    private static final String SECONDS = "3";

    private final String command;

    DefaultPerf(Path root) {
        command = root.resolve("bin/verbena").toString();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean takes(Subject subject, WireEnds place) {
        return subject.kind() == Subject.Kind.BANDWIDTH
                && subject.isUsual()
                && subject.setBytes() == subject.bytes();
    }

    @Override
    public double run(Subject subject, WireEnds place) {
        List<String> client = words(subject, place.left());
        client.addAll(List.of("--json", place.right().address()));
        List<String> server = words(subject, place.right());
        String json = place.pair(LIMIT, Map.of(), PORT, server, client);
        return Values.number(json, "BW_average");
    }

    private List<String> words(Subject subject, WireEnds.Host host) {
        List<String> verb = List.of(command, "perf", "write", "bw", "--report_gbits");
        return Command.join(
                verb,
                List.of(
                        "-s",
                        Integer.toString(subject.bytes()),
                        "-D",
                        SECONDS,
                        "-p",
                        Integer.toString(PORT),
                        "-d",
                        "roce://" + host.address()));
    }
}
