package dev.verbena.fabric;

import org.jspecify.annotations.Nullable;

/// One direction of a cable: packets arrive in the order in which they left, a delay later, unless
/// it has a fault.
final class Link extends PacketLine {
    /// Bytes after which a cut-through switch can forward a packet; LRH, GRH and BTH fit in them.
    static final int HEAD_BYTES = 64;

    private final Node to;
    private final int toPort;
    private final long delayPs;
    private final long headPs;

    /// Of a cable that is sound, null.
    private @Nullable LinkFault fault;

    Link(Fabric fabric, int order, Cable cable, Node to, int toPort) {
        super(fabric.clock(), fabric.pool(), order);
        this.to = to;
        this.toPort = toPort;
        delayPs = cable.delayPs();
        headPs = to.cutsThrough() ? cable.rate().ps(HEAD_BYTES) : 0;
    }

    /// The port at the end.
    OutPort end() {
        return to.port(toPort);
    }

    /// The fault of a cable that has or had one.
    @Nullable LinkFault fault() {
        return fault;
    }

    /// The fault, made if there is none yet.
    LinkFault faulty(long seed) {
        if (fault == null) {
            fault = new LinkFault(seed);
        }
        return fault;
    }

    void fault(LinkFault made) {
        fault = made;
    }

    /// How long a packet or frame takes to leave that takes `usualPs` on a sound cable.
    long durationPs(long usualPs) {
        return fault == null ? usualPs : fault.durationPs(usualPs);
    }

    /// Takes a packet or frame, with the times at which its first and its last bit leave.
    void carry(int handle, long tag, long startPs, long endPs) {
        if (fault != null && fault.takes(tag)) {
            fault.gone(tag);
            drop(handle, tag);
            return;
        }
        boolean isEarly = headPs > 0 && !LinkFrame.is(tag) && (fault == null || !fault.isSlow());
        append(handle, tag, (isEarly ? Math.min(startPs + headPs, endPs) : endPs) + delayPs);
    }

    @Override
    void passed(int handle, long tag, long nowPs) {
        if (fault != null && isLost(fault, tag, nowPs)) {
            drop(handle, tag);
        } else if (LinkFrame.is(tag)) {
            pool.giveFrame(handle);
            end().heard(tag, nowPs);
        } else {
            to.arrive(handle, tag, toPort, nowPs);
        }
    }

    private boolean isLost(LinkFault known, long tag, long nowPs) {
        if (known.wasDown(nowPs, delayPs)) {
            // It was on the cable. Neighbours count their credits anew when the cable is back.
            count(known, tag);
            return true;
        }
        boolean isLost = end().mayLose(tag) && known.loses(tag);
        if (isLost && !LinkFrame.is(tag)) {
            end().taken(tag, nowPs);
        }
        if (isLost) {
            count(known, tag);
        }
        return isLost;
    }

    private static void count(LinkFault known, long tag) {
        if (!LinkFrame.is(tag)) {
            known.lost();
        }
    }

    private void drop(int handle, long tag) {
        if (LinkFrame.is(tag)) {
            pool.giveFrame(handle);
        } else {
            pool.give(handle);
        }
    }
}
