package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// `verbena perf` for one operation, in one of the two modes of a device.
final class OperationPerf implements MeasuredProgram {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int PORT = 18_564;
    private static final String SECONDS = "1";
    private static final String WARM_UP_MS = "1600";
    private static final int DATAGRAM_MAX = 4096;
    private static final int ATOMIC_BYTES = 8;

    /// What is measured, as `perf` calls it.
    enum Operation {
        WRITE("write"),
        READ("read"),
        SEND("send"),
        DATAGRAM("send"),
        ATOMIC("atomic");

        private final String verb;

        Operation(String verb) {
            this.verb = verb;
        }

        boolean takes(int bytes) {
            return switch (this) {
                case WRITE, READ, SEND -> true;
                case DATAGRAM -> bytes <= DATAGRAM_MAX;
                case ATOMIC -> bytes == ATOMIC_BYTES;
            };
        }
    }

    private final String command;
    private final Operation operation;
    private final String progress;

    OperationPerf(Path root, Operation operation, String progress) {
        command = root.resolve("bin/verbena").toString();
        this.operation = operation;
        this.progress = progress;
    }

    static String name(Operation operation, String progress) {
        return (operation == Operation.DATAGRAM ? "UD SEND" : operation.name()) + ", " + progress;
    }

    @Override
    public String name() {
        return name(operation, progress);
    }

    @Override
    public boolean takes(Subject subject, WireEnds place) {
        return operation.takes(subject.bytes());
    }

    @Override
    public double run(Subject subject, WireEnds place) {
        List<String> client = words(subject, place.left());
        client.addAll(List.of("--json", place.right().address()));
        String json = place.pair(LIMIT, Map.of(), PORT, words(subject, place.right()), client);
        boolean isRate = subject.kind() == Subject.Kind.RATE;
        return Values.number(json, isRate ? "MsgRate" : "BW_average");
    }

    private List<String> words(Subject subject, WireEnds.Host host) {
        List<String> words = new ArrayList<>(List.of(command, "perf", operation.verb, "bw"));
        words.addAll(List.of("-s", "" + subject.bytes(), "-D", SECONDS, "--report_gbits"));
        words.addAll(List.of("--warm_up_ms", WARM_UP_MS, "--progress", progress));
        words.addAll(List.of("-p", "" + PORT, "-d", "roce://" + host.address()));
        if (operation == Operation.DATAGRAM) {
            words.addAll(List.of("-c", "UD"));
        }
        if (subject.kind() == Subject.Kind.RATE && operation != Operation.ATOMIC) {
            words.addAll(List.of("-t", "1024", "-l", "64"));
            if (operation != Operation.WRITE && operation != Operation.READ) {
                words.addAll(List.of("-r", "4096"));
            }
        }
        return words;
    }
}
