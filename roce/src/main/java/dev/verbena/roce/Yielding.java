package dev.verbena.roce;

/// Lets other threads run between two looks for packets, as long as that is cheap.
///
/// A yield takes less than a microsecond where no other thread wants the processor, and as long as
/// an answer takes where the peer wants it. Beside a thread that computes it takes milliseconds:
/// Linux 6.18 lets that thread run for a whole slice, at any priority. So there is no yield for a
/// while when yields have become long on the average. A thread that looks for packets should sleep
/// for them then: a packet wakes it.
final class Yielding {
    /// About what it costs to sleep and to be woken.
    private static final long LONG_NS = 50_000;

    /// A single long yield does not count for much: the peer may have had more to do.
    private static final int SAMPLES = 64;

    /// How long there is no yield then: the few slices that are lost in each are not noticed.
    private static final long PAUSE_NS = 1_000_000_000;

    private volatile long againNs;

    /// What a yield takes on the average; threads may lose an update to each other.
    private volatile long meanNs;

    Yielding(long nowNs) {
        againNs = nowNs;
    }

    /// Yields, if that seems to be cheap; returns whether it did.
    @SuppressWarnings("ThreadPriorityCheck") // who is waited for may have no other processor
    boolean tryYield() {
        long beforeNs = System.nanoTime();
        if (!isCheap(beforeNs)) {
            return false;
        }
        Thread.yield();
        yielded(beforeNs, System.nanoTime());
        return true;
    }

    boolean isCheap(long nowNs) {
        return nowNs - againNs >= 0;
    }

    /// A yield took from then to then.
    @SuppressWarnings("NonAtomicVolatileUpdate") // see the field
    void yielded(long fromNs, long toNs) {
        meanNs += (toNs - fromNs - meanNs) / SAMPLES;
        if (meanNs > LONG_NS) {
            againNs = toNs + PAUSE_NS;
            // A few long ones suffice the next time.
            meanNs = LONG_NS / 2;
        }
    }
}
