package dev.verbena.fabric;

/// One direction of a cable: packets arrive in the order in which they left, a delay later.
final class Link extends PacketLine {
    /// Bytes after which a cut-through switch can forward a packet; LRH, GRH and BTH fit in them.
    static final int HEAD_BYTES = 64;

    private final Node to;
    private final int toPort;
    private final long delayPs;
    private final long headPs;

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

    /// Takes a packet or frame, with the times at which its first and its last bit leave.
    void carry(int handle, long tag, long startPs, long endPs) {
        boolean isEarly = headPs > 0 && !LinkFrame.is(tag);
        append(handle, tag, (isEarly ? Math.min(startPs + headPs, endPs) : endPs) + delayPs);
    }

    @Override
    void passed(int handle, long tag, long nowPs) {
        if (LinkFrame.is(tag)) {
            pool.giveFrame(handle);
            end().heard(tag, nowPs);
        } else {
            to.arrive(handle, tag, toPort, nowPs);
        }
    }
}
