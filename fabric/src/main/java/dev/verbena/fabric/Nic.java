package dev.verbena.fabric;

import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.PathCache;
import dev.verbena.transport.carrier.PortSettings;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.spi.Baton;
import dev.verbena.verbs.spi.NetworkReduction;
import dev.verbena.verbs.spi.VirtualTime;
import dev.verbena.wire.Bth;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The NIC of a host: the transport, and one port.
///
/// The port asks the transport for a packet of a class only when it can send and has none, so the
/// choice of the next packet is made as late as possible.
final class Nic extends Node implements Driver, TransmitSink {
    /// The time of a packet that a port which is not active drops.
    private static final long DROP_NS = 1_000;

    private final Fabric fabric;
    private final Clock clock;
    private final PacketPool pool;
    private final int number;
    private final int lid;
    private final Gid gid;
    private final InboundPacket inbound;
    private final OutboundPacket outbound;
    private final Timer timer;
    private final @Nullable SlowNic slow;
    private final int globalPort;
    private @Nullable NicGroups groups;

    /// Null until a connection of TCP ends here.
    private @Nullable NicTcp tcp;

    /// Null until it is asked for.
    private @Nullable NicReductions reductions;

    /// Whether switches choose paths by a hash.
    private final boolean isHashed;

    private @Nullable OutPort port;
    private final PathCache<Route> routes;
    private @Nullable TransportDevice device;

    /// Of the port as it is now, side by side with the rest that a packet needs: the device's own
    /// is four loads away, of which a packet of many senders finds none in the cache.
    private int lidNow;

    private boolean isActive;

    /// Of a NIC that had a fault of its receiving half.
    private @Nullable SlowReceiver receiver;

    private @Nullable PauseSender pauser;

    /// The packet that the transport fills.
    private int next = PacketPool.NONE;

    private boolean isBusy;
    private boolean isClosed;
    private boolean hasCable = true;

    /// As a subnet manager has set it, where there is one.
    private PortState managed = PortState.ACTIVE;

    /// When a port that is not active may drop the next packets.
    private long dropsNs;

    Nic(Fabric fabric, int number, int globalPort, int lid, Gid gid) {
        this.fabric = fabric;
        this.number = number;
        this.globalPort = globalPort;
        this.lid = lid;
        lidNow = lid;
        this.gid = gid;
        clock = fabric.clock();
        routes = new PathCache<>(path -> new Route(path, this, fabric.destination(path.address())));
        pool = fabric.pool();
        inbound = fabric.inbound();
        outbound = fabric.outbound();
        isHashed = fabric.settings().layer() == LinkLayer.ETHERNET;
        timer = new Timer(Orders.timer(globalPort));
        NicProfile profile = fabric.profile(number);
        slow =
                profile.equals(NicProfile.IDEAL)
                        ? null
                        : new SlowNic(this, profile, clock, pool, globalPort);
    }

    void connect(OutPort out) {
        port = out;
    }

    OutPort port() {
        return Objects.requireNonNull(port, "a NIC has its port before it is used");
    }

    @Override
    OutPort port(int only) {
        return port();
    }

    /// Set after construction, because the device needs its NIC first.
    void device(TransportDevice made) {
        device = made;
        isClosed = false;
        keep(made.portSettings());
    }

    TransportDevice device() {
        return Objects.requireNonNull(device, "a NIC has its device before it is used");
    }

    NicTcp tcp() {
        if (tcp == null) {
            tcp = new NicTcp(this, fabric, slow, globalPort);
        }
        return tcp;
    }

    NicReductions reductions() {
        if (reductions == null) {
            reductions = new NicReductions(this, fabric, slow, globalPort);
        }
        return reductions;
    }

    boolean isOpen() {
        return device != null && !isClosed;
    }

    int number() {
        return number;
    }

    /// What the port has been given by now, or else what the builder of the fabric gave it.
    int lid() {
        return lidNow;
    }

    Gid gid() {
        return gid;
    }

    Fabric fabric() {
        return fabric;
    }

    LinkLayer layer() {
        return fabric.settings().layer();
    }

    @Override
    void arrive(int handle, long tag, int ingress, long nowPs) {
        if (receiver != null) {
            receiver.arrive(handle, tag, nowPs);
            return;
        }
        port().taken(tag, nowPs);
        arrived(handle, tag, nowPs);
    }

    /// Lets the NIC take packets at a part of the rate of its cable.
    void receiveAt(double share) {
        if (receiver == null) {
            receiver = new SlowReceiver(this, clock, pool, Orders.nicReceiver(globalPort));
        }
        receiver.share(share);
    }

    /// What tells the switch to pause.
    PauseSender pauser() {
        if (pauser == null) {
            pauser = new PauseSender(clock, Orders.nicPause(globalPort), port());
        }
        return pauser;
    }

    /// A packet has come from the port, or from this NIC itself.
    void arrived(int handle, long tag, long nowPs) {
        if (slow == null) {
            take(handle, nowPs);
        } else {
            slow.arrive(handle, tag, nowPs);
        }
    }

    /// Gives a packet to the transport, or to TCP.
    void take(int handle, long nowPs) {
        Route route = pool.route(handle);
        if (route.tcp != null) {
            MemorySegment headers = pool.headers(handle);
            long at = PacketPool.headersAt(handle);
            route.tcp.arrived(headers, at, pool.payloadLength(handle), nowPs);
        } else if (route.reduction != null) {
            reductions().arrived(handle, route.reduction, nowPs);
        } else if (!route.isGroup && !isMine(route)) {
            fabric.unreachable();
        } else if (isOpen()) {
            receive(handle, clock.nowNs());
        }
        pool.give(handle);
        drain(nowPs);
    }

    /// IBA 7.10.2: a port takes packets to its own LIDs only, wherever switches send them.
    private boolean isMine(Route route) {
        return isHashed || !isOpen() || device().portSettings().hasLid(route.destination);
    }

    private void receive(int handle, long nowNs) {
        PacketView view = inbound.view();
        MemorySegment headers = pool.headers(handle);
        long at = PacketPool.headersAt(handle);
        int before = pool.headersLength(handle);
        int length = pool.payloadLength(handle);
        Verdict verdict =
                pool.hasBytes(handle)
                        ? view.wrapApart(headers, at, before, pool.payload(handle), 0, length)
                        : view.wrapPhantom(headers, at, before, length);
        Route route = pool.route(handle);
        Nic from = route.from;
        int ecn = pool.ecn(handle);
        inbound.verdict(verdict).ecn(ecn);
        Gid source = route.isGlobal ? route.path.source() : Gid.NONE;
        inbound.from(from.lid(), source.high(), source.low()).to(route.address.gid());
        inbound.route(
                route.address.serviceLevel(),
                (route.address.trafficClass() & ~3) | ecn,
                route.address.flowLabel(),
                route.address.hopLimit());
        device().handlePacket(nowNs, inbound);
    }

    @Override
    void left(int ingress, int lane, int wireBytes, long nowPs) {}

    @Override
    void unplugged() {
        hasCable = false;
        portChanged();
    }

    @Override
    void plugged() {
        hasCable = true;
        portChanged();
    }

    private void portChanged() {
        if (isOpen()) {
            device().changePort(it -> it.withState(portState()));
        }
    }

    /// As its cable lets it be.
    PortState portState() {
        return hasCable ? managed : PortState.DOWN;
    }

    /// A subnet manager has set the state of the port.
    void manage(PortState state) {
        managed = state;
    }

    /// Called after every change that can give the device a packet to send or a timer to set.
    private void drain(long nowPs) {
        port().wake(nowPs);
        if (isOpen()) {
            timer.arm(device().pollTimeout());
        }
    }

    /// Puts one packet of each permitted class at the port, so that its arbiter can choose.
    void fill(OutPort out, long nowPs) {
        boolean isFirst = reductions != null && !reductions.wasLast();
        if (reductions != null && isFirst) {
            reductions.fill(out, nowPs);
        }
        if (tcp == null) {
            fillByTransport(out, nowPs);
        } else {
            tcp.fill(out, nowPs);
        }
        if (reductions != null && !isFirst) {
            reductions.fill(out, nowPs);
        }
    }

    void fillByTransport(OutPort out, long nowPs) {
        if (!isOpen()) {
            return;
        }
        int pending = device().pendingClasses();
        if (pending == 0) {
            return;
        }
        if (!isActive && !mayDrop()) {
            return;
        }
        int may = pending & out.classes();
        if (may != pending) {
            out.held(pending & ~may);
        }
        long nowNs = clock.nowNs();
        for (int left = may; left != 0; left &= left - 1) {
            int level = Integer.numberOfTrailingZeros(left);
            if ((out.waiting() & (1 << out.laneOf(level))) == 0) {
                if (slow != null && !slow.mayBegin(nowPs)) {
                    return;
                }
                device().pollTransmit(nowNs, 1 << level, fabric.largestPacket(), 1, this);
            }
        }
        // The packets may be lost, and no answer may arrive.
        timer.arm(device().pollTimeout());
    }

    /// What a port drops that is not active takes time too, or a program that never stops sending
    /// would stop the clock.
    private boolean mayDrop() {
        long nowNs = clock.nowNs();
        boolean may = nowNs >= dropsNs;
        if (may) {
            dropsNs = nowNs + DROP_NS;
        }
        timer.arm(dropsNs);
        return may;
    }

    @Override
    public OutboundPacket next() {
        if (next == PacketPool.NONE) {
            next = pool.take();
        }
        outbound.headerTo(pool.headers(next), PacketPool.headersAt(next));
        return outbound;
    }

    @Override
    public void accept(OutboundPacket filled) {
        int handle = next;
        next = PacketPool.NONE;
        Route route = routes.of(filled.path());
        pool.fill(handle, filled, route);
        if (route.destination == Route.NOWHERE) {
            fabric.unreachable();
            pool.give(handle);
            return;
        }
        int entropy = route.level;
        if (isHashed) {
            int peer = Bth.destQp(pool.headers(handle), PacketPool.headersAt(handle));
            entropy = route.entropy(filled.queuePair(), peer);
        }
        int wireBytes = fabric.wireBytes(handle, route);
        long tag = Tag.of(route.destination, wireBytes, entropy);
        if (route.isGroup && groups != null) {
            groups.loop(handle, route, tag);
        }
        int lane = port().laneOf(route.level);
        if (lane == LaneMap.DROPPED) {
            fabric.unreachable();
            pool.give(handle);
            return;
        }
        port().add(lane, handle, tag, 0);
        if (slow != null) {
            slow.began(clock.nowPs());
        }
    }

    @Override
    public long nowNs() {
        return clock.nowNs();
    }

    @Override
    public Optional<VirtualTime> virtualTime() {
        return Optional.of(fabric.time());
    }

    @Override
    public Optional<NetworkReduction> networkReduction() {
        return fabric.settings().reduction().isOffered()
                ? Optional.of(reductions())
                : Optional.empty();
    }

    @Override
    public boolean turn() {
        return fabric.turn();
    }

    @Override
    public void idle(long deadlineNs, BooleanSupplier isDone) {
        fabric.await(deadlineNs, () -> isClosed || isDone.getAsBoolean());
    }

    @Override
    public void polledInVain() {
        fabric.polledInVain();
    }

    @Override
    public void rouse(Thread waiter) {
        Baton baton = fabric.baton();
        if (baton != null) {
            baton.rouse(waiter);
        }
    }

    @Override
    public void joined(Gid group) {
        if (groups == null) {
            groups = new NicGroups(this, fabric, globalPort);
        }
        groups.join(group);
    }

    @Override
    public void left(Gid group) {
        if (groups != null) {
            groups.leave(group);
        }
    }

    @Override
    public void wake() {
        if (!isBusy && !isClosed) {
            isBusy = true;
            fabric.busy(this);
        }
    }

    /// On InfiniBand packets find their way by LID, so that GIDs may change.
    @Override
    public void portChanges(PortSettings before, PortSettings after) {
        if (isHashed) {
            Driver.super.portChanges(before, after);
        }
        keep(after);
    }

    private void keep(PortSettings settings) {
        lidNow = settings.attributes().lid();
        isActive = settings.isActive();
    }

    /// Sends posted requests.
    void serve(long nowPs) {
        isBusy = false;
        drain(nowPs);
    }

    @Override
    public void closed() {
        if (!isClosed) {
            isClosed = true;
            lidNow = lid;
            timer.disarm();
            if (reductions != null) {
                reductions.closed();
            }
            fabric.closed();
        }
    }

    List<Gid> gids() {
        return List.of(gid);
    }

    @Override
    public String toString() {
        return fabric.topology().hostName(number);
    }

    /// The timer of the device. It is only moved to an earlier time. When it expires too early, it
    /// is set again, which is rarer than packets are.
    private final class Timer extends Alarm {
        private long atNs = Long.MAX_VALUE;

        Timer(int order) {
            super(Nic.this.clock, order);
        }

        void arm(long timeNs) {
            if (timeNs < atNs) {
                atNs = timeNs;
                set(Math.max(clock.nowPs(), timeNs * Clock.PS_PER_NS));
            }
        }

        void disarm() {
            atNs = Long.MAX_VALUE;
            cancel();
        }

        @Override
        void ring(long nowPs) {
            atNs = Long.MAX_VALUE;
            long nowNs = clock.nowNs();
            boolean isDue = device().pollTimeout() <= nowNs;
            if (isDue) {
                device().handleTimeout(nowNs);
            }
            if (isDue || !isActive) {
                drain(nowPs);
            } else {
                arm(device().pollTimeout());
            }
        }
    }
}
