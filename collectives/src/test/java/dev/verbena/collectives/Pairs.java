package dev.verbena.collectives;

import dev.verbena.testkit.Choices;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Few rows in which every two values of different columns meet.
final class Pairs {
    private static final int TRIES = 12;

    private record Pair(int column, int value, int other, int otherValue) {}

    private Pairs() {}

    /// @param levels how many values each column has
    static List<int[]> cover(int[] levels, Choices choices) {
        Set<Pair> open = new HashSet<>();
        for (int a = 0; a < levels.length; a++) {
            for (int b = a + 1; b < levels.length; b++) {
                for (int i = 0; i < levels[a] * levels[b]; i++) {
                    open.add(new Pair(a, i / levels[b], b, i % levels[b]));
                }
            }
        }
        List<int[]> rows = new ArrayList<>();
        while (!open.isEmpty()) {
            // Every row has a pair that no row before had, so that this ends.
            Pair wanted = open.iterator().next();
            int[] best = row(levels, wanted, choices);
            for (int i = 1; i < TRIES; i++) {
                int[] other = row(levels, wanted, choices);
                best = news(other, open) > news(best, open) ? other : best;
            }
            open.removeAll(pairs(best));
            rows.add(best);
        }
        return rows;
    }

    private static int[] row(int[] levels, Pair wanted, Choices choices) {
        int[] row = new int[levels.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = choices.between(0, levels[i] - 1);
        }
        row[wanted.column] = wanted.value;
        row[wanted.other] = wanted.otherValue;
        return row;
    }

    private static long news(int[] row, Set<Pair> open) {
        return pairs(row).stream().filter(open::contains).count();
    }

    private static Set<Pair> pairs(int[] row) {
        Set<Pair> pairs = new HashSet<>();
        for (int a = 0; a < row.length; a++) {
            for (int b = a + 1; b < row.length; b++) {
                pairs.add(new Pair(a, row[a], b, row[b]));
            }
        }
        return pairs;
    }
}
