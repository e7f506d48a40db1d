package dev.verbena.scenario;

import java.util.Arrays;
import java.util.Optional;

/// What must hold after a run.
///
/// @param text as it was written
/// @param workload of which it must hold; empty for the run as a whole
/// @param bound in the unit of the metric; 0 where words are compared
/// @param word where words are compared
public record Check(
        String text, String workload, Metric metric, Comparison by, double bound, String word) {
    /// How the value and the bound are compared.
    public enum Comparison {
        LESS("<"),
        AT_MOST("<="),
        MORE(">"),
        AT_LEAST(">="),
        EQUAL("=="),
        UNEQUAL("!=");

        private final String sign;

        Comparison(String sign) {
            this.sign = sign;
        }

        /// The comparison with this sign.
        public static Optional<Comparison> of(String sign) {
            return Arrays.stream(values()).filter(it -> it.sign.equals(sign)).findFirst();
        }

        boolean holds(double value, double bound) {
            int order = Double.compare(value, bound);
            return switch (this) {
                case LESS -> order < 0;
                case AT_MOST -> order <= 0;
                case MORE -> order > 0;
                case AT_LEAST -> order >= 0;
                case EQUAL -> order == 0;
                case UNEQUAL -> order != 0;
            };
        }
    }

    /// Whether it holds for a number.
    public boolean holds(double value) {
        return by.holds(value, bound);
    }

    /// Whether it holds for words.
    public boolean holds(String value) {
        return (by == Comparison.EQUAL) == value.equals(word);
    }
}
