package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Our own: `verbena perf` over `roce`, both ends spinning.
final class VerbenaPerf implements MeasuredProgram {
    static final String NAME = "Verbena";

    private static final Duration LIMIT = Duration.ofMinutes(2);
    static final int PORT = 18_560;
    private static final int SECONDS = 2;
    private static final int LATENCIES_PER_SECOND = 100_000;

    /// Both ends spin on two cores, and the compiler must find its time between them.
    private static final int WARM_UP_MS = 4000;

    /// One acknowledgement for so many requests, or after so many microseconds.
    private static final String COALESCED = "64,50";

    private final Path command;

    VerbenaPerf(Path root) {
        command = root.resolve("bin/verbena");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean takes(Subject subject, WireEnds place) {
        return true;
    }

    @Override
    public double run(Subject subject, WireEnds place) {
        List<String> server = server(subject, place, SECONDS);
        String json = place.pair(LIMIT, Map.of(), PORT, server, client(subject, place, SECONDS));
        return switch (subject.kind()) {
            case BANDWIDTH -> Values.number(json, "BW_average");
            case LATENCY -> Values.number(json, "t_typical");
            case RATE -> Values.number(json, "MsgRate");
        };
    }

    List<String> server(Subject subject, WireEnds place, int seconds) {
        return words(subject, place.right(), seconds);
    }

    List<String> client(Subject subject, WireEnds place, int seconds) {
        List<String> words = words(subject, place.left(), seconds);
        words.add("--json");
        words.add(place.right().address());
        return words;
    }

    private List<String> words(Subject subject, WireEnds.Host host, int seconds) {
        boolean isLatency = subject.kind() == Subject.Kind.LATENCY;
        List<String> words = new ArrayList<>(List.of(command.toString(), "perf", "write"));
        words.addAll(List.of(isLatency ? "lat" : "bw", "-p", Integer.toString(PORT)));
        words.addAll(List.of("-s", Integer.toString(subject.bytes()), "-d", device(subject, host)));
        words.addAll(List.of("--progress", "caller", "--warm_up_ms", "" + WARM_UP_MS));
        // Queue pairs have memory each, up to as much as rotates.
        if (subject.setBytes() > subject.bytes() && subject.setting().queuePairs() == 1) {
            words.addAll(List.of("--rotate", Long.toString(subject.setBytes())));
        }
        if (isLatency) {
            words.addAll(List.of("-n", Integer.toString(seconds * LATENCIES_PER_SECOND)));
            return words;
        }
        words.addAll(List.of("-D", Integer.toString(seconds), "--report_gbits"));
        int pairs = subject.setting().queuePairs();
        words.addAll(List.of("-q", Integer.toString(pairs)));
        // As many messages under way in all, whatever the number of pairs, and two of each at
        // least.
        boolean isRate = subject.kind() == Subject.Kind.RATE;
        int depth = Math.max(2, (isRate ? 1024 : 128) / pairs);
        words.addAll(List.of("-t", Integer.toString(depth)));
        if (isRate) {
            words.addAll(List.of("-l", Integer.toString(Math.min(64, depth))));
        }
        return words;
    }

    private static String device(Subject subject, WireEnds.Host host) {
        String address = host.address().contains(":") ? "[" + host.address() + "]" : host.address();
        String uri = "roce://%s?rcvbuf=%d".formatted(address, subject.setting().rcvbufBytes());
        return subject.setting().isCoalesced() ? uri + "&ack=" + COALESCED : uri;
    }
}
