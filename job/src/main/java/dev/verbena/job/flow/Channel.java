package dev.verbena.job.flow;

import java.util.Arrays;

/// One direction of the queue pairs between two ranks in a lane: messages that leave one after the
/// other at the rate that the links give it, and what sender and receiver know of each other.
///
/// The rules are those of [dev.verbena.collectives.link.Link]: short messages need a free slot of
/// the receiver, long ones a grant, which goes the other way.
final class Channel {
    /// Kinds of messages.
    static final byte SHORT = 1;

    static final byte LONG = 2;
    static final byte GRANT = 3;
    static final byte CREDIT = 4;

    static final int GRANT_BYTES = 32;
    private static final int NO_CREDIT = -1;

    final int number;
    final FlowRank from;
    final FlowRank to;
    final int lane;

    /// The host that it leaves from.
    final int host;

    final Way way;

    /// By link of the way, the place of this channel among those that use the link now.
    final int[] places;

    private final FlowRun run;
    private final int slots;
    private final long grantPs;
    private final long acknowledgementPs;
    private final double acknowledgementBits;
    private Channel back = this;

    // Messages: those on their way, then those that wait to leave.
    private byte[] kinds = new byte[2];
    private long[] lengths = new long[2];
    private int[] sends = new int[2];
    private int[] credits = new int[2];
    private int arrived;
    private int leaving;
    private int posted;

    // The message that leaves.
    private boolean isActive;

    /// Time of one of its packets: what others wait for when it is its turn.
    private long turnPs;

    private double rate;
    private double leftBits;
    private long sincePs;
    private long finishPs = Timeline.NEVER;
    private long lastArrivalPs;

    /// Stamp of the last search that has found it, see [Shares].
    int found;

    /// Its number among those that the search has found.
    int index;

    // What the sender knows.
    private int shortSent;
    private int shortCredited;
    private int longSent;
    private boolean awaitsGrant;

    // What the receiver knows.
    private int shortArrived;
    private int shortTaken;
    private int shortTold;
    private int longArrived;
    private int longTaken;
    private int granted;

    /// When grants are at the sender, in turn.
    private final long[] grantedPs;

    Channel(int number, FlowRun run, FlowRank from, FlowRank to, int lane, int host, Way way) {
        this.number = number;
        this.run = run;
        this.from = from;
        this.to = to;
        this.lane = lane;
        this.host = host;
        this.way = way;
        places = new int[way.links.length];
        slots = run.links().slots();
        grantedPs = new long[run.links().grants()];
        grantPs = way.smallPs(GRANT_BYTES);
        acknowledgementPs = way.acknowledgementPs();
        acknowledgementBits = way.acknowledgementBits();
    }

    /// The other direction.
    Channel back() {
        return back;
    }

    void pair(Channel other) {
        back = other;
        other.back = this;
    }

    // ---- the receiver's side

    boolean hasShort() {
        return shortArrived > shortTaken;
    }

    boolean hasLong() {
        return longArrived > longTaken;
    }

    /// Tells the sender of free slots when half of them are.
    void takeShort(long nowPs) {
        shortTaken++;
        if (shortTaken - shortTold >= slots / 2) {
            back.post(CREDIT, 0, 0, nowPs);
        }
    }

    void takeLong() {
        longTaken++;
    }

    boolean canGrant() {
        return granted - longTaken < grantedPs.length;
    }

    /// Lets the sender send one more long message, when it knows of it.
    void grant(long nowPs) {
        int turn = granted++ % grantedPs.length;
        boolean isAlone = back.leaving == back.posted && shortTaken == shortTold;
        if (isAlone) {
            // Nothing is before it: it takes its latency, and the time of the link from others.
            back.lastArrivalPs = Math.max(back.lastArrivalPs, nowPs + back.grantPs);
            run.owe(back, back.way.bits(GRANT_BYTES) + acknowledgementBits);
            grantIsThere(turn, back.lastArrivalPs);
        } else {
            grantedPs[turn] = Timeline.NEVER;
            back.post(GRANT, GRANT_BYTES, turn, nowPs);
        }
    }

    private void grantIsThere(int turn, long timePs) {
        grantedPs[turn] = timePs;
        if (awaitsGrant) {
            awaitsGrant = false;
            from.wakeAt(timePs);
        }
    }

    // ---- the sender's side

    boolean canSendShort() {
        return shortSent - shortCredited < slots;
    }

    void sendShort(long bytes, long nowPs) {
        shortSent++;
        post(SHORT, bytes, 0, nowPs);
    }

    /// Whether the next long message is granted; if not, the sender is woken when it is.
    boolean hasGrant(long nowPs) {
        if (longSent == granted) {
            awaitsGrant = true;
            return false;
        }
        long timePs = grantedPs[longSent % grantedPs.length];
        if (timePs == Timeline.NEVER) {
            awaitsGrant = true;
        } else if (timePs > nowPs) {
            from.wakeAt(timePs);
        }
        return timePs <= nowPs;
    }

    /// @param send its number among the sends of the lane
    void sendLong(long bytes, int send, long nowPs) {
        longSent++;
        post(LONG, bytes, send, nowPs);
    }

    private void post(byte kind, long bytes, int send, long nowPs) {
        if (posted - arrived == kinds.length) {
            skipKnown();
        }
        if (posted - arrived == kinds.length) {
            grow();
        }
        int at = posted & (kinds.length - 1);
        kinds[at] = kind;
        lengths[at] = bytes;
        sends[at] = send;
        boolean hasNews = back.shortTaken != back.shortTold;
        credits[at] = hasNews ? back.shortTaken : NO_CREDIT;
        back.shortTold = back.shortTaken;
        boolean isFirst = leaving == posted++;
        if (isFirst && way.postPs() > 0) {
            run.startAt(this, nowPs + way.postPs());
        } else if (isFirst) {
            start(nowPs);
        }
    }

    private void grow() {
        int room = kinds.length;
        byte[] oldKinds = kinds;
        long[] oldLengths = lengths;
        int[] oldSends = sends;
        int[] oldCredits = credits;
        kinds = Arrays.copyOf(kinds, 2 * room);
        lengths = Arrays.copyOf(lengths, 2 * room);
        sends = Arrays.copyOf(sends, 2 * room);
        credits = Arrays.copyOf(credits, 2 * room);
        for (int i = arrived; i < posted; i++) {
            int from = i & (room - 1);
            int to = i & (2 * room - 1);
            kinds[to] = oldKinds[from];
            lengths[to] = oldLengths[from];
            sends[to] = oldSends[from];
            credits[to] = oldCredits[from];
        }
    }

    // ---- on the links

    /// The NIC sees the first message. Its queue pairs take turns by packets: each that sends
    /// already sends one more before a new one has its first turn.
    void start(long nowPs) {
        turnPs = way.packetPs(nextBytes());
        long othersPs = run.startsSending(host, turnPs);
        if (othersPs == 0) {
            leave(nowPs);
        } else {
            run.leaveAt(this, nowPs + othersPs);
        }
    }

    private long nextBytes() {
        return lengths[leaving & (kinds.length - 1)];
    }

    /// The first message begins to leave; it has a rate when the links have been shared out.
    void leave(long nowPs) {
        isActive = true;
        begin(nowPs);
        run.shares().add(this);
    }

    private void begin(long nowPs) {
        leftBits = way.bits(nextBytes()) + run.owed(this);
        sincePs = nowPs;
    }

    boolean isActive() {
        return isActive;
    }

    double rate() {
        return rate;
    }

    /// @param bitsPerPs from now on
    void rate(double bitsPerPs, long nowPs) {
        leftBits = Math.max(0, leftBits - (nowPs - sincePs) * rate);
        sincePs = nowPs;
        rate = bitsPerPs;
        schedule();
    }

    private void schedule() {
        finishPs = sincePs + (long) Math.ceil(leftBits / rate);
        run.finishAt(this, finishPs);
    }

    /// The message may have left; then the next one begins.
    void finish(long nowPs) {
        if (!isActive || finishPs != nowPs) {
            return; // its rate has changed since this time was set
        }
        int at = leaving++ & (kinds.length - 1);
        long bytes = lengths[at];
        long arrivalPs = Math.max(lastArrivalPs, nowPs + way.latencyPs(bytes));
        lastArrivalPs = arrivalPs;
        if (kinds[at] == GRANT) {
            back.grantIsThere(sends[at], arrivalPs);
        }
        if (kinds[at] == LONG) {
            from.lane(lane).acknowledgedAt(sends[at], arrivalPs + back.acknowledgementPs);
        }
        if (!isKnown(at)) {
            run.arriveAt(this, arrivalPs);
        }
        if (leaving < posted) {
            begin(nowPs);
            schedule();
        } else {
            isActive = false;
            rate = 0;
            finishPs = Timeline.NEVER;
            run.shares().remove(this);
            run.endsSending(host, turnPs);
        }
    }

    /// Whether nothing is to be done when a message arrives: the time of a grant is known before.
    private boolean isKnown(int at) {
        return kinds[at] == GRANT && credits[at] == NO_CREDIT;
    }

    private void skipKnown() {
        while (arrived < leaving && isKnown(arrived & (kinds.length - 1))) {
            arrived++;
        }
    }

    /// The oldest message on its way is there.
    void arrive() {
        skipKnown();
        int at = arrived++ & (kinds.length - 1);
        run.owe(back, back.acknowledgementBits);
        if (credits[at] != NO_CREDIT) {
            back.shortCredited = credits[at];
            to.tell();
        }
        switch (kinds[at]) {
            case SHORT -> {
                shortArrived++;
                to.tell();
            }
            case LONG -> {
                longArrived++;
                to.tell();
            }
            default -> {}
        }
    }
}
