package dev.verbena.transport.schedule;

/// A fixed rate, exact over any time: the fraction of a nanosecond is carried to the next packet.
///
/// 64 bytes at 400 Gb/s take 1.28 ns. The time of each packet is the whole part; the rest is kept
/// as a fraction with the rate itself as denominator, so that nothing is ever rounded away.
final class Pacer implements RateControl {
    private static final long BIT_NS_PER_BYTE = 8_000_000_000L;

    /// A carrier that calls late by less than this loses nothing; one that paused for longer does
    /// not get a burst for it.
    private final long catchUpNs;

    private long bitsPerSecond;

    /// Before the first packet: any time will do.
    private long nextNs = Long.MIN_VALUE;

    /// In units of a nanosecond divided by the rate.
    private long fraction;

    Pacer(long bitsPerSecond, long catchUpNs) {
        this.bitsPerSecond = bitsPerSecond;
        this.catchUpNs = catchUpNs;
    }

    /// Another rate from now on, also for what is left of the time of the last packet: at 1 Mb/s a
    /// packet of 4,096 bytes takes 33 ms, and the rate may be back long before.
    void rate(long next, long nowNs) {
        if (next != bitsPerSecond) {
            if (nextNs > nowNs) {
                nextNs = nowNs + (long) ((double) (nextNs - nowNs) * bitsPerSecond / next);
            }
            bitsPerSecond = next;
            fraction = 0;
        }
    }

    @Override
    public long earliestNs(long nowNs) {
        return nextNs;
    }

    /// A queue pair that had nothing to send saves nothing up for later.
    @Override
    public void resumed(long nowNs) {
        if (nowNs > nextNs) {
            nextNs = nowNs;
            fraction = 0;
        }
    }

    @Override
    public void sent(long nowNs, int bytes) {
        assert nextNs != Long.MIN_VALUE : "a pace is resumed before it is used";
        if (nowNs - nextNs > catchUpNs) {
            nextNs = nowNs - catchUpNs;
        }
        long time = fraction + bytes * BIT_NS_PER_BYTE;
        nextNs += time / bitsPerSecond;
        fraction = time % bitsPerSecond;
    }
}
