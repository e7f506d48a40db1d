package dev.verbena.collectives.element;

import java.util.Locale;

/// What becomes of two elements.
public enum Reduction {
    /// The sum; integers wrap around.
    SUM,
    /// The smaller one. A NaN wins, and -0.0 is smaller than 0.0, as in [Math#min].
    MIN,
    /// The larger one. A NaN wins, and 0.0 is larger than -0.0, as in [Math#max].
    MAX;

    /// As nccl-tests calls it.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
