package dev.verbena.cli;

import dev.verbena.verbs.Completion;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A side of a bandwidth test: sends, receives, both, or only lets its device answer.
final class BandwidthSide extends PerfSide {
    private static final int POLL_BATCH = 16;
    private static final Duration NAP = Duration.ofMillis(5);

    private final @Nullable MessageSender sender;
    private final @Nullable ReceiveStock receives;
    // Kept in a field: a lambda made in every turn would be garbage.
    private final Consumer<Completion> handler = this::completed;
    private long taken;

    BandwidthSide(PerfEnd end, int bytes, boolean isSender, boolean isReceiver) {
        super(end, bytes);
        sender = isSender ? new MessageSender(end, bytes) : null;
        receives =
                isReceiver && end.options.measure().verb().needsReceives()
                        ? new ReceiveStock(end)
                        : null;
    }

    @Override
    void begin(long messages, long limitNs, boolean isMeasured) {
        if (sender != null) {
            sender.begin(messages, limitNs, isMeasured);
        }
    }

    @Override
    void turn() {
        if (sender != null && sender.fill()) {
            end.completions.poll(POLL_BATCH, handler);
        } else {
            // Drives the device as well, and leaves the processor to the peer when nothing comes:
            // a side that only looks keeps the other from its work where processors are few.
            end.completions.await(NAP, handler);
        }
    }

    private void completed(Completion done) {
        PerfEnd.requireSuccess(done);
        if (receives != null && done.operation().isReceive()) {
            receives.used((int) done.id());
        } else if (sender != null) {
            sender.completed(done.id());
        }
    }

    @Override
    boolean isFinished() {
        return sender == null || sender.isFinished();
    }

    @Override
    long moved() {
        return (sender == null ? 0 : sender.completed())
                + (receives == null ? 0 : receives.received());
    }

    @Override
    long sent() {
        return sender == null ? 0 : sender.completed();
    }

    @Override
    long takeReceived() {
        long now = receives == null ? 0 : receives.received();
        long since = now - taken;
        taken = now;
        return since;
    }

    @Override
    PerfResult result() {
        return sender == null ? new PerfResult.None() : sender.result();
    }
}
