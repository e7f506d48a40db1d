package dev.verbena.virtual;

import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.PathCache;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.verbs.Gid;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One device's place on the network.
final class Port implements Driver, TransmitSink {
    private static final int TURN_BYTES = 1 << 16;
    private static final int ALL_CLASSES = 0xFFFF;

    /// 10.0.0.0, in which ports are numbered from 1.
    private static final int FIRST_ADDRESS = 0x0A00_0000;

    private final VirtualNetwork network;
    private final Wire wire;
    private final Fates fates;
    private final int number;
    private final Gid gid;
    private final InboundPacket inbound = new InboundPacket();
    private final PathCache<Route> routes = new PathCache<>(path -> new Route(path, gid()));
    private @Nullable TransportDevice device;
    private boolean busy;
    private boolean closed;

    Port(VirtualNetwork network, Wire wire, Fates fates, int number) {
        this.network = network;
        this.wire = wire;
        this.fates = fates;
        this.number = number;
        gid = Gid.ofIpv4(FIRST_ADDRESS + number);
    }

    int number() {
        return number;
    }

    Gid gid() {
        return gid;
    }

    /// The device needs its port before the port its device.
    void device(TransportDevice made) {
        device = made;
    }

    TransportDevice device() {
        return Objects.requireNonNull(device, "a port has its device before it is used");
    }

    boolean isClosed() {
        return closed;
    }

    /// Sends all waiting packets; returns whether there were any.
    boolean transmit(long nowNs) {
        busy = false;
        if (device().pollTransmit(nowNs, ALL_CLASSES, TURN_BYTES, this) == 0) {
            return false;
        }
        wake();
        return true;
    }

    void deliver(long nowNs, Flight flight) {
        wire.frames().decode(flight, inbound);
        device().handlePacket(nowNs, inbound);
        wake();
    }

    void handleTimeout(long nowNs) {
        if (device().pollTimeout() <= nowNs) {
            device().handleTimeout(nowNs);
            wake();
        }
    }

    @Override
    public long nowNs() {
        return network.nowNs();
    }

    @Override
    public boolean turn() {
        return network.turn();
    }

    @Override
    public void polledInVain() {
        network.pass();
    }

    @Override
    public void idle(long deadlineNs, BooleanSupplier isDone) {
        network.idle(deadlineNs);
    }

    @Override
    public void wake() {
        if (!busy && !closed) {
            busy = true;
            network.busy(this);
        }
    }

    @Override
    public void joined(Gid group) {
        network.join(group, this);
    }

    @Override
    public void left(Gid group) {
        network.leave(group, this);
    }

    @Override
    public void closed() {
        closed = true;
        network.closed(this);
    }

    @Override
    public OutboundPacket next() {
        return wire.next();
    }

    @Override
    public void accept(OutboundPacket packet) {
        long nowNs = network.nowNs();
        Route route = routes.of(packet.path());
        wire.send(nowNs, packet, route);
        if (route.destination().isMulticast()) {
            reachMembers(nowNs, network.members(route.destination()));
            return;
        }
        Port to = route.to();
        if (to == null) {
            to = network.at(route.destination());
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
