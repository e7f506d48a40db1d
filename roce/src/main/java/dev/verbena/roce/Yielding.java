package dev.verbena.roce;

/// Lets other threads run between two looks for packets, as long as that is cheap.
///
/// A yield takes less than a microsecond where no other thread wants the processor, and as long as
/// an answer takes where the peer wants it. Beside a thread that computes it takes milliseconds:
/// Linux 6.18 lets that thread run for a whole slice, at any priority. So a yield that took long is
/// the last one for a while, the longer it took the longer. A thread that looks for packets should
/// sleep for them then: a packet wakes it.
final class Yielding {
    /// Far more than a peer needs for an answer.
    private static final long LONG_NS = 100_000;

    /// How often as long there is no yield then: a three-hundredth of the time lost is not noticed.
    /// A compiler's short work must not make a thread sleep for each packet of the next second: to
    /// be woken takes as long as a train of packets.
    private static final long PAUSE_TIMES = 300;

    private static final long PAUSE_MAX_NS = 1_000_000_000;

    private volatile long againNs;

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
    void yielded(long fromNs, long toNs) {
        long tookNs = toNs - fromNs;
        if (tookNs > LONG_NS) {
            againNs = toNs + Math.min(PAUSE_MAX_NS / PAUSE_TIMES, tookNs) * PAUSE_TIMES;
        }
    }
}
