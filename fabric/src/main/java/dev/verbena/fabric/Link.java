package dev.verbena.fabric;

/// One direction of a cable: packets arrive in the order in which they left, a delay later.
final class Link extends Event {
    /// Bytes after which a switch that cuts through knows where a packet goes: LRH, GRH and BTH
    /// fit.
    private static final int HEAD_BYTES = 64;

    private final Clock clock;
    private final Node to;
    private final int toPort;
    private final long delayPs;
    private final long headPs;
    private final TimedRing inFlight = new TimedRing();

    Link(Clock clock, int order, Node to, int toPort, Cable cable) {
        super(order);
        this.clock = clock;
        this.to = to;
        this.toPort = toPort;
        delayPs = cable.delayPs();
        headPs = to.cutsThrough() ? cable.rate().ps(HEAD_BYTES) : 0;
    }

    /// Takes a packet or frame whose first bit leaves at a time and whose last bit at another.
    void carry(int handle, long tag, long startPs, long endPs) {
        boolean isEarly = headPs > 0 && !Frame.is(handle);
        long arrivalPs = (isEarly ? Math.min(startPs + headPs, endPs) : endPs) + delayPs;
        if (inFlight.isEmpty()) {
            clock.at(this, arrivalPs);
        }
        inFlight.add(handle, tag, arrivalPs);
    }

    @Override
    void happen(long nowPs) {
        int handle = inFlight.handle();
        long tag = inFlight.tag();
        inFlight.drop();
        if (!inFlight.isEmpty()) {
            clock.at(this, inFlight.timePs());
        }
        to.arrive(handle, tag, toPort, nowPs);
    }
}
