package dev.verbena.job.flow;

import dev.verbena.collectives.plan.Plan;
import dev.verbena.collectives.run.LocalWork;
import org.jspecify.annotations.Nullable;

/// A rank that carries out its plan.
final class FlowRank {
    private static final long PS_PER_NS = 1000;
    private static final int MIX = 0x9E37_79B9;

    final int number;
    private final FlowRun run;
    private final LocalWork work;

    /// Whether work of the rank itself takes time.

    private FlowLane[] lanes = new FlowLane[0];

    /// Channels from this rank, by peer and lane; what comes from a peer is the back of one.
    private int[] keys = new int[4];

    private @Nullable Channel[] channels = new @Nullable Channel[4];
    private int known;
    private long wakePs = Timeline.NEVER;
    private boolean isTold;
    private boolean isDone;
    private long sendFreeNs;
    private long receiveFreeNs;

    FlowRank(int number, FlowRun run, LocalWork work) {
        this.number = number;
        this.run = run;
        this.work = work;
    }

    /// Begins a plan; the one before is over.
    void begin(Plan plan, int elementBytes) {
        lanes = new FlowLane[plan.lanes()];
        int shortBytes = run.links().shortBytes();
        int grants = run.links().grants();
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = new FlowLane(this, plan, i, elementBytes, shortBytes, grants);
        }
        isDone = false;
        wakePs = Timeline.NEVER;
        tell();
    }

    FlowLane lane(int index) {
        return lanes[index];
    }

    /// It has something to do at this time.
    void tell() {
        if (!isTold) {
            isTold = true;
            run.told(this);
        }
    }

    /// It may have something to do at a later time.
    void wakeAt(long timePs) {
        if (timePs != wakePs) {
            wakePs = timePs;
            run.wakeAt(this, timePs);
        }
    }

    /// Does what can be done; returns whether this was the end of the plan.
    boolean advance(long nowPs) {
        isTold = false;
        if (isDone) {
            return false;
        }
        boolean any = true;
        while (any) {
            any = false;
            for (FlowLane lane : lanes) {
                any |= lane.advance(nowPs);
            }
        }
        for (FlowLane lane : lanes) {
            if (!lane.isDone(nowPs)) {
                return false;
            }
        }
        isDone = true;
        return true;
    }

    /// The channel to a peer.
    Channel to(int peer, int lane) {
        int key = peer * FlowRun.LANES_MAX + lane;
        int mask = keys.length - 1;
        for (int at = first(key, mask); ; at = (at + 1) & mask) {
            Channel channel = channels[at];
            if (channel == null) {
                return run.connect(this, peer, lane);
            }
            if (keys[at] == key) {
                return channel;
            }
        }
    }

    /// The channel from a peer.
    Channel from(int peer, int lane) {
        return to(peer, lane).back();
    }

    private static int first(int key, int mask) {
        return ((key * MIX) >>> 8) & mask;
    }

    void add(int peer, int lane, Channel channel) {
        if (2 * known >= keys.length) {
            int[] oldKeys = keys;
            @Nullable Channel[] old = channels;
            keys = new int[2 * oldKeys.length];
            channels = new @Nullable Channel[keys.length];
            for (int i = 0; i < old.length; i++) {
                Channel one = old[i];
                if (one != null) {
                    insert(oldKeys[i], one);
                }
            }
        }
        insert(peer * FlowRun.LANES_MAX + lane, channel);
        known++;
    }

    private void insert(int key, Channel channel) {
        int mask = keys.length - 1;
        int at = first(key, mask);
        while (channels[at] != null) {
            at = (at + 1) & mask;
        }
        keys[at] = key;
        channels[at] = channel;
    }

    // ---- work that takes time, as in dev.verbena.collectives.run.Run

    long sendReadyPs(long nowPs, long bytes, int peer) {
        if (work.isInstant()) {
            return nowPs;
        }
        long nowNs = Math.ceilDiv(nowPs, PS_PER_NS);
        long takes = work.sendNs(bytes);
        long readyNs = nowNs;
        if (takes > 0) {
            sendFreeNs = Math.max(sendFreeNs, nowNs) + takes;
            readyNs = sendFreeNs;
        }
        return work.copiedOutNs(readyNs, bytes, run.network(number, peer)) * PS_PER_NS;
    }

    long receiveReadyPs(long nowPs, long bytes, boolean combines, int peer) {
        if (work.isInstant()) {
            return nowPs;
        }
        long nowNs = Math.ceilDiv(nowPs, PS_PER_NS);
        long hereNs = work.copiedInNs(nowNs, bytes, run.network(number, peer));
        long takes = work.receiveNs(bytes, combines);
        if (takes == 0) {
            return hereNs * PS_PER_NS;
        }
        receiveFreeNs = Math.max(receiveFreeNs, hereNs) + takes;
        return receiveFreeNs * PS_PER_NS;
    }
}
