package dev.verbena.cli;

import dev.verbena.verbs.Completion;

/// Latency of READ and of atomics: the answer is the completion, and the other side's program has
/// no part in it.
final class ReadLatencySide extends LatencySide {
    private final boolean isAsking;
    private long completed;

    ReadLatencySide(PerfEnd end, int bytes, boolean isAsking, int keptMax) {
        super(end, bytes, isAsking, keptMax);
        this.isAsking = isAsking;
    }

    @Override
    boolean hasArrived(long before) {
        return completed > before;
    }

    @Override
    void post(long number) {
        postRequest(number, true);
    }

    @Override
    void work() {
        if (!isAsking) {
            end.progress();
        } else if (end.options.isCaller()) {
            poll();
        } else {
            await();
        }
    }

    @Override
    void completed(Completion done) {
        completed++;
    }
}
