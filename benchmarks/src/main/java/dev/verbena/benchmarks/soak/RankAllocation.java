package dev.verbena.benchmarks.soak;

import java.util.List;

/// What a thread has allocated in the calls of a communicator: by kind of operation, for short
/// vectors with few steps and long ones with many.
final class RankAllocation {
    static final List<String> KINDS =
            List.of("all-reduce", "all-gather", "reduce-scatter", "broadcast", "all-to-all");

    private static final int SHORT_MAX = 1 << 13;

    private final long[] operations = new long[2 * KINDS.size()];
    private final long[] bytes = new long[2 * KINDS.size()];
    private final long[] payload = new long[2 * KINDS.size()];

    void add(int kind, long length, long made) {
        int at = 2 * kind + (length <= SHORT_MAX ? 0 : 1);
        operations[at]++;
        bytes[at] += made;
        payload[at] += length;
    }

    /// For each kind and length: operations, mean bytes of a vector, bytes allocated by one.
    String lines() {
        StringBuilder lines = new StringBuilder();
        for (int at = 0; at < operations.length; at++) {
            long count = Math.max(1, operations[at]);
            lines.append(
                    "%s\t%d\t%d\t%.1f%n"
                            .formatted(
                                    KINDS.get(at / 2),
                                    operations[at],
                                    payload[at] / count,
                                    (double) bytes[at] / count));
        }
        return lines.toString();
    }
}
