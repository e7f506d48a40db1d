package dev.verbena.cli;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/// Statistics of round trips in nanoseconds, as perftest prints them; recording allocates nothing.
final class LatencyMeter {
    private static final long LONGEST_NS = 100_000_000_000L;
    private static final int DIGITS = 4;
    private static final long[] NONE = {};

    private final Histogram histogram = new Histogram(LONGEST_NS, DIGITS);
    private final double perMicrosecond;
    private long[] samples = NONE;
    private int count;

    /// @param isRoundTrip whether the whole round trip is the latency, and not half of it
    LatencyMeter(boolean isRoundTrip) {
        perMicrosecond = isRoundTrip ? 1e3 : 2e3;
    }

    /// Starts again; keeps up to a number of values for [#sorted] and [#unsorted].
    void begin(int kept) {
        histogram.reset();
        samples = kept == 0 ? NONE : new long[kept];
        count = 0;
    }

    void record(long ns) {
        histogram.recordValue(Math.min(ns, LONGEST_NS));
        if (count < samples.length) {
            samples[count++] = ns;
        }
    }

    /// The kept values in microseconds, in the order of the test.
    double[] unsorted() {
        return Arrays.stream(samples, 0, count).mapToDouble(ns -> ns / perMicrosecond).toArray();
    }

    /// The kept values in microseconds, the smallest first.
    double[] sorted() {
        double[] values = unsorted();
        Arrays.sort(values);
        return values;
    }

    /// @param lost questions that were asked again
    PerfResult.Latency result(int bytes, long elapsedNs, long lost) {
        long messages = histogram.getTotalCount();
        return new PerfResult.Latency(
                bytes,
                messages,
                histogram.getMinValue() / perMicrosecond,
                histogram.getMaxValue() / perMicrosecond,
                histogram.getValueAtPercentile(50) / perMicrosecond,
                histogram.getMean() / perMicrosecond,
                histogram.getStdDeviation() / perMicrosecond,
                histogram.getValueAtPercentile(99) / perMicrosecond,
                histogram.getValueAtPercentile(99.9) / perMicrosecond,
                messages * 1e9 / Math.max(1, elapsedNs),
                lost);
    }
}
