package dev.verbena.cli;

import dev.verbena.fabric.Flow;
import dev.verbena.fabric.Patterns;
import dev.verbena.fabric.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.TypeConversionException;

/// Reads a workload of the command line: `NAME:KEY=VALUE,KEY=VALUE`.
final class SimWorkloads {
    private static final double PS_PER_US = 1e6;
    private static final double US_MAX = 1e9;
    private static final long USUAL_BYTES = 1 << 20;
    private static final int NAME_MAX = 12;
    private static final String KEYS =
            "pattern, from, to, size, senders, by, class, start, until or protocol";

    private final String text;
    private final int hosts;
    private final Map<String, String> given = new LinkedHashMap<>();

    private SimWorkloads(String text, int hosts) {
        this.text = text;
        this.hosts = hosts;
    }

    /// @param seed chooses who sends to whom in a permutation
    /// @throws IllegalArgumentException for a text that cannot be read
    static Workload parse(String text, int hosts, long seed) {
        return new SimWorkloads(text, hosts).read(seed);
    }

    private Workload read(long seed) {
        int colon = text.indexOf(':');
        if (colon < 1 || colon > NAME_MAX) {
            throw refused(
                    "write it as NAME:pattern=incast,senders=8,size=1M, with 1 to %d letters"
                            .formatted(NAME_MAX));
        }
        for (String part : text.substring(colon + 1).split(",", -1)) {
            int split = part.indexOf('=');
            if (split < 1 || split == part.length() - 1) {
                throw refused("'" + part + "' has no value: write it as size=1M");
            }
            if (given.put(part.substring(0, split), part.substring(split + 1)) != null) {
                throw refused(part.substring(0, split) + " stands there twice");
            }
        }
        boolean repeats = given.containsKey("until");
        long startPs = ps("start");
        long untilPs = ps("until");
        if (repeats && untilPs <= startPs) {
            throw refused("it must end after it has started: use a later until");
        }
        int level = number("class", 0, 0, 7);
        Workload.Protocol protocol = protocol();
        List<Flow> flows = flows(seed);
        if (!given.isEmpty()) {
            String key = given.keySet().iterator().next();
            throw refused("'" + key + "' has no effect here: there are " + KEYS);
        }
        return made(
                () ->
                        new Workload(
                                text.substring(0, colon),
                                flows.stream()
                                        .map(it -> it.startingAt(startPs))
                                        .map(it -> it.repeatedUntil(untilPs).inClass(level))
                                        .toList(),
                                protocol));
    }

    private Workload.Protocol protocol() {
        String word = taken("protocol", "rdma");
        return switch (word) {
            case "rdma" -> Workload.Protocol.RDMA;
            case "tcp" -> Workload.Protocol.TCP;
            default -> throw refused("protocol=" + word + ": use rdma or tcp");
        };
    }

    private List<Flow> flows(long seed) {
        long bytes = bytes();
        if (given.containsKey("from")) {
            int from = number("from", 0, 0, hosts - 1);
            int to = number("to", 0, 0, hosts - 1);
            return List.of(made(() -> Flow.of(from, to, bytes)));
        }
        String pattern = taken("pattern", "permutation");
        return switch (pattern) {
            case "permutation" -> Patterns.permutation(hosts, bytes, seed);
            case "incast" -> {
                int most = hosts - 1;
                int senders = number("senders", Math.min(SimCommand.SENDERS, most), 1, most);
                int to = number("to", 0, 0, hosts - 1);
                yield Patterns.incast(hosts, senders, to, bytes);
            }
            case "alltoall" -> Patterns.allToAll(hosts, bytes);
            case "shift" -> Patterns.shift(hosts, number("by", hosts / 2, 1, hosts - 1), bytes);
            default ->
                    throw refused(
                            "pattern=%s: use permutation, incast, alltoall or shift"
                                    .formatted(pattern));
        };
    }

    private <T> T made(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException wrong) {
            throw refused(String.valueOf(wrong.getMessage()));
        }
    }

    private long bytes() {
        String size = taken("size", Long.toString(USUAL_BYTES));
        try {
            return ByteCount.parse(size);
        } catch (TypeConversionException malformed) {
            throw refused(String.valueOf(malformed.getMessage()));
        }
    }

    private long ps(String key) {
        String us = taken(key, "0");
        try {
            double value = Double.parseDouble(us);
            if (value >= 0 && value <= US_MAX) {
                return Math.round(value * PS_PER_US);
            }
        } catch (NumberFormatException malformed) {
            // The same answer as for a number that is out of range.
        }
        throw refused("%s=%s: use microseconds from 0 to %,.0f".formatted(key, us, US_MAX));
    }

    private int number(String key, int usual, int least, int most) {
        String word = taken(key, Integer.toString(usual));
        try {
            int value = Integer.parseInt(word);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException malformed) {
            // The same answer as for a number that is out of range.
        }
        throw refused("%s=%s: use %d to %d".formatted(key, word, least, most));
    }

    private String taken(String key, String usual) {
        String value = given.remove(key);
        return value == null ? usual : value;
    }

    private IllegalArgumentException refused(String remedy) {
        return new IllegalArgumentException("--workload %s: %s".formatted(text, remedy));
    }
}
