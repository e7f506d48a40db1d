package dev.verbena.transport.schedule;

import org.jspecify.annotations.Nullable;

/// A sender that takes turns and keeps a rate: a queue pair with its requests and, with congestion
/// control, its responses to READs.
public abstract class PacedTransmitter extends Timed {
    private RateControl rate = RateControl.UNLIMITED;

    /// Whether the time of the next packet was asked for already, so that it is not idle time.
    private boolean isWaitingForPace;

    /// Until then the device has not seen the oldest request that was not begun.
    private long seenNs = Long.MIN_VALUE;

    private @Nullable PeerWindow followed;

    public PacedTransmitter(int index) {
        super(index);
    }

    public final RateControl rate() {
        return rate;
    }

    public final void rate(RateControl control) {
        rate = control;
        isWaitingForPace = false;
        followed = null;
    }

    /// Keeps another rate, and what is known of the peer.
    public final void limit(RateControl control) {
        if (followed == null) {
            rate = control;
        } else {
            followed.rate(control);
        }
        isWaitingForPace = false;
    }

    /// Follows from now on what the peer can take; not before there is something in flight, because
    /// idle queue pairs are many.
    public final void follow(int windowPackets) {
        if (followed == null) {
            followed = new PeerWindow(rate, windowPackets);
            rate = followed;
        }
    }

    /// The device sees requests at this time that were posted when there were none to begin.
    public final void seenAt(long atNs) {
        seenNs = atNs;
    }

    /// Whether the device has seen requests by now; if not, their turn comes when it has.
    public final boolean isSeen(long nowNs) {
        boolean isSeen = seenNs <= nowNs;
        if (!isSeen) {
            awaitTurn(seenNs);
        }
        return isSeen;
    }

    /// Whether the rate allows a packet now; if not, its turn comes when it does.
    public final boolean isPaced(long nowNs) {
        long earliestNs = rate.earliestNs(nowNs);
        if (earliestNs > nowNs) {
            isWaitingForPace = true;
            awaitPace(earliestNs);
            return false;
        }
        if (!isWaitingForPace) {
            rate.resumed(nowNs);
        }
        return true;
    }

    /// A packet that was allowed leaves now.
    public final void paced(long nowNs, int length) {
        rate.sent(nowNs, length);
        isWaitingForPace = false;
    }

    /// Takes a turn again at this time, because of the rate.
    public abstract void awaitPace(long atNs);

    /// Takes a turn again at this time.
    public abstract void awaitTurn(long atNs);
}
