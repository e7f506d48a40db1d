package dev.verbena.transport.schedule;

import org.jspecify.annotations.Nullable;

/// A sender that takes turns and keeps a rate: a queue pair with its requests and, with congestion
/// control, its responses to READs.
public abstract class PacedTransmitter extends Timed {
    private RateControl rate = RateControl.UNLIMITED;

    /// Whether the time of the next packet was asked for already, so that it is not idle time.
    private boolean isWaitingForPace;

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

    /// Whether the rate allows a packet now; if not, its turn comes when it does.
    public final boolean isPaced(long nowNs) {
        long earliestNs = rate.earliestNs();
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

    /// Takes a turn again at this time.
    public abstract void awaitPace(long atNs);
}
