package dev.verbena.virtual;

import dev.verbena.transport.Driver;
import dev.verbena.transport.InboundPacket;
import dev.verbena.transport.OutboundPacket;
import dev.verbena.transport.Path;
import dev.verbena.transport.TransmitSink;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Gid;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One device's place on the network.
final class Port implements Driver, TransmitSink {
    private static final int TURN_BYTES = 1 << 16;
    private static final int ALL_CLASSES = 0xFFFF;

    /// 10.0.0.0, in which ports are numbered from 1.
    private static final int FIRST_ADDRESS = 0x0A00_0000;

    private static final long MAPPED = 0xFFFF_0000_0000L;

    private final VirtualNetwork network;
    private final Wire wire;
    private final Fates fates;
    private final int number;
    private final InboundPacket inbound = new InboundPacket();
    private @Nullable Route[] routes = new Route[1];
    private @Nullable TransportDevice device;
    private long sequence;
    private boolean busy;
    private boolean closed;

    Port(VirtualNetwork network, Wire wire, Fates fates, int number) {
        this.network = network;
        this.wire = wire;
        this.fates = fates;
        this.number = number;
    }

    int number() {
        return number;
    }

    private int ipv4() {
        return FIRST_ADDRESS + number;
    }

    Gid gid() {
        return new Gid(0, MAPPED | ipv4());
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

    long nextSequence() {
        return sequence++;
    }

    /// Moves out what there is; returns whether there was anything.
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
    public void idle(long deadlineNs) {
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
    public void closed() {
        closed = true;
        network.left(this);
    }

    @Override
    public OutboundPacket next() {
        return wire.next();
    }

    @Override
    public void accept(OutboundPacket packet) {
        Route route = route(packet.path());
        Port to = route.to();
        if (to == null) {
            to = network.at(route.destination());
            route.to(to);
        }
        wire.send(network.nowNs(), packet, route, to, fates);
    }

    /// Worked out once for each path.
    private Route route(Path path) {
        int index = path.index();
        if (index >= routes.length) {
            routes = Arrays.copyOf(routes, Math.max(index + 1, routes.length * 2));
        }
        Route route = routes[index];
        if (route == null) {
            route = new Route(path, ipv4());
            routes[index] = route;
        }
        return route;
    }
}
