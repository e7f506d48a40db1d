package dev.verbena.cli;

/// Finds the best interval of a run, as perftest does: from the posting of one message to the
/// completion of a later one.
///
/// It samples at intervals, so that memory and effort do not grow with the run.
final class PeakMeter {
    private static final int SAMPLES = 2048;

    private final long[] postedNs = new long[SAMPLES + 1];
    private final long[] completedNs = new long[SAMPLES + 1];
    private long stride = 1;
    private int posted;
    private int completed;
    private long nextPosted;
    private long nextCompleted;

    /// Begins anew for a run of so many messages in all, of which completions tell in steps.
    void begin(long messages, int step) {
        stride = Math.max(step, (messages + SAMPLES - 1) / SAMPLES);
        posted = 0;
        completed = 0;
        nextPosted = 0;
        nextCompleted = stride;
    }

    /// To be called before a message is posted, with how many were posted before it.
    void posting(long before) {
        if (before >= nextPosted && posted <= SAMPLES) {
            postedNs[posted++] = System.nanoTime();
            nextPosted = posted * stride;
        }
    }

    /// To be called with how many are completed now.
    void completed(long count) {
        if (count >= nextCompleted) {
            long nowNs = System.nanoTime();
            while (count >= nextCompleted && completed < SAMPLES) {
                completedNs[completed++] = nowNs;
                nextCompleted += stride;
            }
        }
    }

    /// Messages per second of the best interval; 0 when there was none to look at.
    double best() {
        double best = 0;
        for (int from = 0; from < Math.min(posted, completed); from++) {
            for (int to = from; to < completed; to++) {
                // Sample `to` is when (to + 1) strides were complete.
                long ns = completedNs[to] - postedNs[from];
                if (ns > 0) {
                    best = Math.max(best, (to + 1 - from) * stride * 1e9 / ns);
                }
            }
        }
        return best;
    }
}
