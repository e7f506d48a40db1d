package dev.verbena.fabric;

import org.jspecify.annotations.Nullable;

/// A switch that stores and forwards, with memory for all ports together and priority flow control.
sealed class EthernetSwitch extends Node implements SharedBuffer.Pauser, RouteChooser.Egress
        permits LaneEthernetSwitch {
    static final int SALT = 0x9E37_79B1;

    private final Fabric fabric;
    private final PacketPool pool;
    private final BufferSettings settings;
    private final SwitchPlace place;
    private final Multicast multicast;
    private final OutPort[] ports;
    private final PauseSender[] pausers;
    private final SharedBuffer buffer;
    private final RouteChooser chooser;
    private final @Nullable Marker marker;

    private final long latencyPs;

    /// Of a packet's link time, what is no part of it.
    private final int gapBytes;

    EthernetSwitch(
            Fabric fabric, FabricKind.Ethernet kind, SwitchPlace place, int ports, int firstPort) {
        this.fabric = fabric;
        this.place = place;
        settings = kind.buffer();
        multicast = fabric.multicast();
        int salt = salt(fabric.settings(), firstPort);
        pool = fabric.pool();
        gapBytes = fabric.settings().framing().gapBytes();
        this.ports = new OutPort[ports];
        chooser = RouteChooser.of(kind.routing(), salt, place, this, fabric.clock());
        pausers = new PauseSender[ports];
        buffer = new SharedBuffer(settings, ports, this);
        latencyPs = fabric.settings().switchLatencyPs();
        marker =
                kind.marking().equals(Marking.NONE) ? null : new Marker(kind.marking(), pool, salt);
    }

    /// Makes the random choices of each switch its own.
    static int salt(FabricSettings settings, int firstPort) {
        return (int) (settings.seed() + firstPort) * SALT;
    }

    void connect(EthernetPort port, PauseSender pauser) {
        if (marker != null) {
            port.markBy(marker);
        }
        ports[port.number] = port;
        pausers[port.number] = pauser;
        buffer.reserve(port.number, settings.headroomOf(port.cable(), fabric.settings()));
    }

    /// All ports with cables are known by now.
    void check() {
        if (buffer.sharedBytes() < 0) {
            long reserved = settings.totalBytes() - buffer.sharedBytes();
            throw new IllegalArgumentException(
                    ("%s has %,d bytes of buffer, and its ports need %,d for headroom: "
                                    + "use a larger buffer, shorter cables or fewer lossless "
                                    + "priorities than %d")
                            .formatted(
                                    place.name(),
                                    settings.totalBytes(),
                                    reserved,
                                    settings.losslessPriorities()));
        }
    }

    @Override
    void arrive(int handle, long tag, int port, long nowPs) {
        if (multicast.isGroup(Tag.destination(tag))) {
            toSeveral(handle, tag, port, nowPs);
            return;
        }
        int out = place.port(tag, chooser);
        if (out == FixedRoutes.NOWHERE) {
            fabric.unreachable();
            pool.give(handle);
        } else {
            forward(handle, tag, port, ports[out], nowPs);
        }
    }

    /// The port by which a packet leaves, or -1 where each packet takes another one, or none.
    int out(long tag) {
        return chooser.isSteady() ? place.port(tag, chooser) : -1;
    }

    @Override
    public long waitingBytes(int port, long tag) {
        return ports[port].waitingBytes(Tag.lane(tag));
    }

    @Override
    public long bitsPerSecond(int port) {
        return ports[port].cable().rate().bitsPerSecond();
    }

    @Override
    SwitchPlace place() {
        return place;
    }

    private void toSeveral(int handle, long tag, int port, long nowPs) {
        if (Tag.destination(tag) != Reductions.DESTINATION) {
            scatter(handle, tag, port, nowPs);
        } else {
            reduce(handle, port, 0, nowPs);
        }
    }

    /// Sends a copy by every other port that leads to members; each takes room of its own.
    private void scatter(int handle, long tag, int port, long nowPs) {
        for (int number : multicast.ports(Tag.destination(tag), place.node())) {
            if (number != port) {
                forward(pool.copy(handle), tag, port, ports[number], nowPs);
            }
        }
        pool.give(handle);
    }

    private void forward(int handle, long tag, int port, OutPort out, long nowPs) {
        int lane = Tag.lane(tag);
        int wire = Tag.wireBytes(tag);
        if (buffer.isTooLong(lane, out.waitingBytes(lane) + wire)) {
            buffer.dropped(port, lane);
            pool.give(handle);
        } else if (buffer.admit(port, lane, wire - gapBytes, nowPs)) {
            int outLane = outLane(lane, port, out.number);
            out.offer(outLane, handle, Tag.withIngress(tag, port), nowPs + latencyPs, nowPs);
        } else {
            pool.give(handle);
        }
    }

    /// The lane in which a packet leaves that came in a lane.
    int outLane(int lane, int in, int out) {
        return lane;
    }

    @Override
    void left(int ingress, int lane, int wireBytes, long nowPs) {
        buffer.release(ingress, lane, wireBytes - gapBytes, nowPs);
    }

    @Override
    public void pause(int port, int priority, boolean isXoff, long nowPs) {
        pausers[port].pause(priority, isXoff, nowPs);
    }

    /// Tells the neighbour of a port again what it is to pause.
    void repeatPauses(int port, long nowPs) {
        pausers[port].repeat(nowPs);
    }

    /// Whether the neighbour of a port has last been told to pause a priority.
    boolean isPausing(int port, int priority) {
        return pausers[port].isPausing(priority);
    }

    /// Packets that it has marked.
    long marked() {
        return marker == null ? 0 : marker.marked();
    }

    SharedBuffer buffer() {
        return buffer;
    }

    int ports() {
        return ports.length;
    }

    @Override
    OutPort port(int number) {
        return ports[number];
    }

    long pausesSent(int port, int priority) {
        return pausers[port] == null ? 0 : pausers[port].sent(priority);
    }

    long pausesSent() {
        long sent = 0;
        for (PauseSender pauser : pausers) {
            sent += pauser == null ? 0 : pauser.sent();
        }
        return sent;
    }

    @Override
    public String toString() {
        return place.name();
    }
}
