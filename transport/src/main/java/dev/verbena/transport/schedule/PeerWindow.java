package dev.verbena.transport.schedule;

/// Follows what the peer can take: how many packets may be unacknowledged, and when to ask again
/// for an answer that does not come.
///
/// The window begins as wide as the device's options say. A loss halves it, unless nothing was
/// acknowledged since the one before: a peer that is away for a while is not a slow one. It grows
/// again with what is acknowledged: by a packet for each window up to three quarters of the width
/// at the last loss, then by a packet for 16 windows. A peer whose socket holds less than ours so
/// loses something seldom instead of always.
///
/// Lost packets at the end of what is in flight are not noticed by the peer, because nothing comes
/// after them. When no answer came for a few round trips, the last packet is sent once more: the
/// answer to it shows what is missing, long before the queue pair's timer ends. A peer that was
/// only slow gets one packet twice and not a whole window.
public final class PeerWindow implements RateControl {
    static final int LEAST_PACKETS = 2;
    public static final long LEAST_PATIENCE_NS = 1_000_000;

    private static final int SLOW_GROWTH = 16;
    private static final int DEVIATIONS = 4;

    private RateControl rate;
    private final int most;
    private int window;

    /// The window at the last loss, and packets acknowledged since it last changed.
    private int ceiling;

    private int acknowledged;
    private boolean hasProgress = true;

    /// Packets to be acknowledged until the round trip that is being measured is over.
    private int measured;

    private long measuredFromNs;
    private long roundTripNs;
    private long deviationNs;

    private long patienceNs;
    private long lostAtNs;

    /// @param rate the rate that is kept beside it
    PeerWindow(RateControl rate, int most) {
        this.rate = rate;
        this.most = most;
        window = most;
        ceiling = most;
    }

    @Override
    public int windowPackets() {
        return Math.min(window, rate.windowPackets());
    }

    @Override
    public void asked(long nowNs, int outstanding) {
        rate.asked(nowNs, outstanding);
        if (measured <= 0) {
            measured = outstanding;
            measuredFromNs = nowNs;
        }
    }

    @Override
    public void acknowledged(long nowNs, int packets, boolean isMarked) {
        rate.acknowledged(nowNs, packets, isMarked);
        if (measured > 0) {
            measured -= packets;
            if (measured <= 0) {
                roundTrip(nowNs - measuredFromNs);
            }
        }
        hasProgress = true;
        acknowledged += packets;
        while (window < most && acknowledged >= toGrow()) {
            acknowledged -= toGrow();
            window++;
        }
        if (window == most) {
            acknowledged = 0;
        }
    }

    /// Packets to be acknowledged until the window is one packet wider.
    private int toGrow() {
        boolean isFarBelow = window < ceiling - (ceiling >> 2);
        return window * (isFarBelow ? 1 : SLOW_GROWTH);
    }

    /// RFC 6298: an average of the time, and of how far it is from it.
    private void roundTrip(long tookNs) {
        if (roundTripNs == 0) {
            roundTripNs = Math.max(1, tookNs);
            deviationNs = tookNs / 2;
            return;
        }
        deviationNs += (Math.abs(roundTripNs - tookNs) - deviationNs) / 4;
        roundTripNs += (tookNs - roundTripNs) / 8;
    }

    @Override
    public long cuts() {
        return rate.cuts();
    }

    @Override
    public void lost(long nowNs) {
        rate.lost(nowNs);
        if (hasProgress) {
            ceiling = window;
            window = Math.max(LEAST_PACKETS, window / 2);
            acknowledged = 0;
            hasProgress = false;
        }
    }

    @Override
    public void wentBack() {
        rate.wentBack();
        // What comes now may answer the first transmission or the second, or a receiver that had to
        // be waited for.
        measured = 0;
    }

    /// Keeps another rate from now on.
    void rate(RateControl other) {
        rate = other;
    }

    @Override
    public long patienceNs(long nowNs, long timeoutNs) {
        lostAtNs = nowNs + timeoutNs;
        patienceNs =
                roundTripNs == 0
                        ? timeoutNs
                        : Math.max(LEAST_PATIENCE_NS, roundTripNs + DEVIATIONS * deviationNs);
        return Math.min(patienceNs, timeoutNs);
    }

    @Override
    public long morePatienceNs(long nowNs) {
        patienceNs *= 2;
        return Math.max(0, Math.min(patienceNs, lostAtNs - nowNs));
    }

    @Override
    public long earliestNs(long nowNs) {
        return rate.earliestNs(nowNs);
    }

    @Override
    public void resumed(long nowNs) {
        rate.resumed(nowNs);
    }

    @Override
    public void sent(long nowNs, int bytes) {
        rate.sent(nowNs, bytes);
    }

    @Override
    public boolean takeSent() {
        return rate.takeSent();
    }

    @Override
    public void congested(long nowNs) {
        rate.congested(nowNs);
    }
}
