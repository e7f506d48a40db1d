package dev.verbena.benchmarks.compare;

import java.util.Arrays;

/// The median of ratios, with an interval that holds the true one with a chance of at least 95 %.
///
/// @param low the end below
/// @param high the end above
record Ratios(double median, double low, double high) {
    /// Fewer ratios have no such interval.
    static final int LEAST = 6;

    private static final double OUTSIDE = 0.025;

    /// The interval lies between two of the sorted ratios, by the binomial distribution: no form of
    /// the noise is assumed.
    static Ratios of(double[] ratios) {
        double[] sorted = ratios.clone();
        Arrays.sort(sorted);
        int count = sorted.length;
        int cut = 0;
        double below = Math.pow(0.5, count);
        double term = below;
        while (below <= OUTSIDE) {
            cut++;
            term = term * (count - cut + 1) / cut;
            below += term;
        }
        if (cut == 0) {
            throw new IllegalArgumentException(count + " ratios are too few for an interval");
        }
        return new Ratios(median(ratios), sorted[cut - 1], sorted[count - cut]);
    }

    static double median(double[] ratios) {
        double[] sorted = ratios.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /// Whether even the best end is dearer than this.
    boolean isWorseThan(double limit) {
        return low > limit;
    }
}
