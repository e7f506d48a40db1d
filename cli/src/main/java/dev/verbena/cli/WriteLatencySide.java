package dev.verbena.cli;

import dev.verbena.verbs.Completion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Latency of WRITE: both sides look at the last byte of their memory until it changes.
final class WriteLatencySide extends LatencySide {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private final MemorySegment memory;
    private final long last;
    private final boolean isCaller;

    WriteLatencySide(PerfEnd end, int bytes, boolean isAsking, int keptMax) {
        super(end, bytes, isAsking, keptMax);
        memory = end.memory;
        last = bytes - 1L;
        isCaller = end.options.isCaller();
        for (int pair = 0; pair < end.pairs.length; pair++) {
            BYTE.setRelease(memory, end.slot(pair) + last, (byte) 0);
            BYTE.setRelease(memory, end.halfBytes + end.slot(pair) + last, (byte) 0);
        }
    }

    /// The byte says how many messages have come, modulo 256, which is never what it was before.
    @Override
    boolean hasArrived(long before) {
        long at = end.halfBytes + end.slot(pairOf(before + 1)) + last;
        return (byte) BYTE.getAcquire(memory, at) == (byte) mark(before + 1);
    }

    /// Of each place: the first message there says 1, the next 2, and so on.
    private long mark(long number) {
        return end.pairs.length == 1 ? number : number / end.pairs.length + 1;
    }

    @Override
    void post(long number) {
        BYTE.setRelease(memory, end.slot(pairOf(number)) + last, (byte) mark(number));
        postRequest(number, false);
    }

    @Override
    void work() {
        if (isCaller) {
            poll();
        } else if (!poll()) {
            Thread.onSpinWait();
        }
    }

    @Override
    void completed(Completion done) {}
}
