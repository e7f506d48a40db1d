package dev.verbena.scenario.read;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Finds the word that was probably meant.
final class Nearest {
    private Nearest() {}

    /// The known word with the fewest changes of letters, unless that is another word altogether.
    static Optional<String> to(String word, Collection<String> known) {
        String lower = word.toLowerCase(Locale.ROOT).replace('-', '_');
        return known.stream()
                .min(Comparator.comparingInt(it -> distance(lower, it.toLowerCase(Locale.ROOT))))
                .filter(it -> isNear(lower, it.toLowerCase(Locale.ROOT)));
    }

    private static boolean isNear(String word, String known) {
        boolean isPart = word.length() > 2 && (known.contains(word) || word.contains(known));
        return isPart || distance(word, known) <= Math.max(1, known.length() / 3);
    }

    /// Letters to insert, to leave out or to change; two neighbours that are swapped count as one.
    private static int distance(String from, String to) {
        int[][] least = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    least[i][j] = i + j;
                    continue;
                }
                int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
                int best = Math.min(least[i - 1][j], least[i][j - 1]) + 1;
                best = Math.min(best, least[i - 1][j - 1] + change);
                boolean isSwap =
                        i > 1
                                && j > 1
                                && from.charAt(i - 1) == to.charAt(j - 2)
                                && from.charAt(i - 2) == to.charAt(j - 1);
                least[i][j] = isSwap ? Math.min(best, least[i - 2][j - 2] + 1) : best;
            }
        }
        return least[from.length()][to.length()];
    }
}
