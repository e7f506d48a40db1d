package dev.verbena.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Which of many equal things a picture shows: all, or the first and the last ones with a gap.
final class Fold {
    /// In place of a number: what is left out.
    static final int GAP = -1;

    private Fold() {}

    /// @param most things and gaps together
    static List<Integer> of(int count, int most) {
        if (count <= most) {
            return IntStream.range(0, count).boxed().toList();
        }
        List<Integer> shown = new ArrayList<>();
        int first = most - 2;
        for (int i = 0; i < first; i++) {
            shown.add(i);
        }
        shown.add(GAP);
        shown.add(count - 1);
        return shown;
    }
}
