package dev.verbena.virtual;

import dev.verbena.transport.TurnPort;
import dev.verbena.transport.Turns;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.PathCache;
import dev.verbena.verbs.Gid;
import java.util.List;

/// One device's place on the network.
final class Port extends TurnPort<Port> {
    /// 10.0.0.0, in which ports are numbered from 1.
    private static final int FIRST_ADDRESS = 0x0A00_0000;

    private final VirtualNetwork network;
    private final Turns<Port> turns;
    private final Wire wire;
    private final Fates fates;
    private final int number;
    private final PathCache<Route> routes = new PathCache<>(path -> new Route(path, gid()));

    Port(VirtualNetwork network, Turns<Port> turns, Wire wire, Fates fates, int number) {
        super(turns, Gid.ofIpv4(FIRST_ADDRESS + number));
        this.network = network;
        this.turns = turns;
        this.wire = wire;
        this.fates = fates;
        this.number = number;
    }

    int number() {
        return number;
    }

    @Override
    public void closed() {
        super.closed();
        network.closed();
    }

    @Override
    public OutboundPacket next() {
        return wire.next();
    }

    @Override
    public void accept(OutboundPacket packet) {
        long nowNs = nowNs();
        Route route = routes.of(packet.path());
        wire.send(nowNs, packet, route);
        if (route.destination().isMulticast()) {
            reachMembers(nowNs, turns.members(route.destination()));
            return;
        }
        Port to = route.to();
        if (to == null) {
            to = turns.at(route.destination());
            route.to(to);
        }
        if (to == null) {
            wire.reachNobody();
        } else {
            wire.reach(nowNs, to, fates, true);
        }
    }

    /// Every member has a way of its own: a packet may be lost to some and reach others.
    private void reachMembers(long nowNs, List<Port> members) {
        if (members.isEmpty()) {
            wire.reachNobody();
        }
        for (int i = 0; i < members.size(); i++) {
            wire.reach(nowNs, members.get(i), fates, i == members.size() - 1);
        }
    }
}
