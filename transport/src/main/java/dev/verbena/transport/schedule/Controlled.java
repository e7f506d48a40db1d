package dev.verbena.transport.schedule;

import dev.verbena.transport.control.CongestionControl;

/// A queue pair's congestion control, in terms of packets: measures round trips, and tells the
/// controller of each event in the order of time.
public final class Controlled implements RateControl {
    /// Measurements under way; with more, some acknowledgements have none.
    private static final int ASKED_MAX = 32;

    private final CongestionControl control;
    private final int mtu;

    /// Rings of packets that asked for an acknowledgement: how many packets are acknowledged then,
    /// counted from the beginning, and when it was.
    private final long[] askedUpTo = new long[ASKED_MAX];

    private final long[] askedNs = new long[ASKED_MAX];
    private int firstAsked;
    private int asked;
    private long acknowledged;

    /// Bytes that have left and are not acknowledged.
    private long inFlight;

    private boolean hasSent;

    /// @param mtu largest payload of a packet
    public Controlled(CongestionControl control, int mtu) {
        this.control = control;
        this.mtu = mtu;
    }

    @Override
    public long earliestNs(long nowNs) {
        makeUp(nowNs);
        return control.earliestNs();
    }

    @Override
    public int windowPackets() {
        long packets = control.windowBytes() / mtu;
        return Math.clamp(packets, 1, Integer.MAX_VALUE);
    }

    @Override
    public void resumed(long nowNs) {
        makeUp(nowNs);
    }

    @Override
    public void sent(long nowNs, int bytes) {
        makeUp(nowNs);
        hasSent = true;
        inFlight += bytes;
        control.sent(nowNs, bytes);
    }

    @Override
    public boolean takeSent() {
        boolean sent = hasSent;
        hasSent = false;
        return sent;
    }

    @Override
    public void asked(long nowNs, int outstanding) {
        if (asked < ASKED_MAX) {
            int at = (firstAsked + asked++) % ASKED_MAX;
            askedUpTo[at] = acknowledged + outstanding;
            askedNs[at] = nowNs;
        }
    }

    @Override
    public void acknowledged(long nowNs, int packets, boolean isMarked) {
        makeUp(nowNs);
        acknowledged += packets;
        long roundTripNs = 0;
        while (asked > 0 && askedUpTo[firstAsked] <= acknowledged) {
            roundTripNs = Math.max(1, nowNs - askedNs[firstAsked]);
            firstAsked = (firstAsked + 1) % ASKED_MAX;
            asked--;
        }
        long bytes = Math.min(inFlight, (long) packets * mtu);
        inFlight -= bytes;
        control.acknowledged(
                nowNs, (int) Math.min(bytes, Integer.MAX_VALUE), roundTripNs, isMarked);
    }

    @Override
    public long cuts() {
        return control.cuts();
    }

    @Override
    public void wentBack() {
        // What comes now may answer the first transmission or the second.
        asked = 0;
        inFlight = 0;
    }

    @Override
    public void congested(long nowNs) {
        makeUp(nowNs);
        control.notified(nowNs);
    }

    @Override
    public void lost(long nowNs) {
        makeUp(nowNs);
        control.lost(nowNs);
    }

    /// Calls that were due before now. A timer that does not move on would be due for ever.
    private void makeUp(long nowNs) {
        long dueNs = control.timerNs();
        while (dueNs <= nowNs) {
            control.timer(dueNs);
            long nextNs = control.timerNs();
            if (nextNs <= dueNs) {
                throw new IllegalStateException(
                        ("congestion control %s was called at %,d ns, and wants to be called"
                                        + " again at %,d ns: timerNs must be later")
                                .formatted(control.getClass().getName(), dueNs, nextNs));
            }
            dueNs = nextNs;
        }
    }
}
