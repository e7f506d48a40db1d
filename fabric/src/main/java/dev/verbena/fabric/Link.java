package dev.verbena.fabric;

import org.jspecify.annotations.Nullable;

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
    private final PacketQueue inFlight = new PacketQueue();

    Link(Clock clock, int order, Node to, int toPort, Cable cable) {
        super(order);
        this.clock = clock;
        this.to = to;
        this.toPort = toPort;
        delayPs = cable.delayPs();
        headPs = to.cutsThrough(toPort, cable.rate()) ? cable.rate().ps(HEAD_BYTES) : 0;
    }

    /// Takes a packet whose first bit leaves at a time and whose last bit at another.
    void carry(Packet packet, long startPs, long endPs) {
        packet.tailPs = endPs + delayPs;
        boolean isEarly = headPs > 0 && packet.kind == Packet.Kind.DATA;
        packet.timePs = isEarly ? Math.min(startPs + headPs, endPs) + delayPs : packet.tailPs;
        boolean isFirst = inFlight.isEmpty();
        inFlight.add(packet);
        if (isFirst) {
            clock.at(this, packet.timePs);
        }
    }

    @Override
    void happen(long nowPs) {
        Packet packet = inFlight.poll();
        if (packet == null) {
            throw new AssertionError("an arrival has a packet");
        }
        @Nullable Packet following = inFlight.first();
        if (following != null) {
            clock.at(this, following.timePs);
        }
        to.arrive(packet, toPort, nowPs);
    }
}
