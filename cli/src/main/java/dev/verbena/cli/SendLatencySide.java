package dev.verbena.cli;

import dev.verbena.verbs.Completion;

/// Latency of SEND: both sides wait for the completion of a receive.
final class SendLatencySide extends LatencySide {
    private final ReceiveStock receives;
    private final boolean isCaller;
    private int used = -1;
    private long arrived;

    SendLatencySide(PerfEnd end, int bytes, boolean isAsking, int keptMax) {
        super(end, bytes, isAsking, keptMax);
        receives = new ReceiveStock(end);
        isCaller = end.options.isCaller();
    }

    @Override
    boolean hasArrived(long before) {
        return arrived > before;
    }

    @Override
    void forgetLate(long before) {
        arrived = before;
    }

    @Override
    void post(long number) {
        postRequest(number, false);
        replace();
    }

    @Override
    void work() {
        replace();
        if (isCaller) {
            poll();
        } else {
            await();
        }
    }

    /// After the answer is posted, not before: the answer is what is measured.
    private void replace() {
        if (used >= 0) {
            receives.used(used);
            used = -1;
        }
    }

    @Override
    void completed(Completion done) {
        if (done.operation().isReceive()) {
            replace();
            used = (int) done.id();
            arrived++;
        }
    }
}
