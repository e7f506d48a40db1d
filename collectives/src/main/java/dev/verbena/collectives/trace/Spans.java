package dev.verbena.collectives.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Spans of time that may overlap, and how long they are together.
final class Spans {
    private record Span(long fromNs, long untilNs) {}

    private final List<Span> all = new ArrayList<>();

    /// A span that ends before it begins is none.
    void add(long fromNs, long untilNs) {
        if (untilNs > fromNs) {
            all.add(new Span(fromNs, untilNs));
        }
    }

    long totalNs() {
        all.sort(Comparator.comparingLong(Span::fromNs));
        long total = 0;
        long end = Long.MIN_VALUE;
        for (Span each : all) {
            if (each.untilNs > end) {
                total += each.untilNs - Math.max(each.fromNs, end);
                end = each.untilNs;
            }
        }
        return total;
    }
}
