package dev.verbena.benchmarks.roce;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Sizes of an all-reduce that are measured in one run of a program, each with as many rounds.
record AllReduceGroup(long first, long last, int factor, int warmup, int iterations) {
    /// 8 B to 64 MiB. A long vector needs few rounds, but not fewer than a second of them.
    static final List<AllReduceGroup> ALL =
            List.of(
                    new AllReduceGroup(8, 4096, 8, 5000, 5000),
                    new AllReduceGroup(16 << 10, 1 << 20, 4, 200, 1000),
                    new AllReduceGroup(4 << 20, 64 << 20, 4, 10, 40));

    List<Long> sizes() {
        List<Long> sizes = new ArrayList<>();
        for (long size = first; size <= last; size *= factor) {
            sizes.add(size);
        }
        return sizes;
    }

    static List<Long> allSizes() {
        return ALL.stream().flatMap(group -> group.sizes().stream()).toList();
    }

    /// A size as the page has it.
    static String name(long bytes) {
        if (bytes < 1 << 10) {
            return bytes + " B";
        }
        boolean isSmall = bytes < 1 << 20;
        return String.format(
                Locale.ROOT, "%d %s", bytes >> (isSmall ? 10 : 20), isSmall ? "KiB" : "MiB");
    }
}
