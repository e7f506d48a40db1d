package dev.verbena.collectives.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The value in the middle.
final class Median {
    private Median() {}

    /// The lower one of two in the middle; 0 of none.
    static double of(List<Double> values) {
        if (values.isEmpty()) {
            return 0;
        }
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get((sorted.size() - 1) / 2);
    }
}
