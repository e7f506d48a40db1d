package dev.verbena.fabric;

import org.jspecify.annotations.Nullable;

/// A switch with input buffers, credits and virtual lanes. Packets wait in the buffer of their
/// input port, in a queue for each output port and lane, so that no packet waits behind one for
/// another port.
///
/// Of a packet to a group the buffer holds one, from which all copies are sent. It is given back
/// with the copy that has the longest queue before it when the packet arrives.
sealed class InfiniBandSwitch extends Node implements RouteChooser.Egress
        permits LaneInfiniBandSwitch {
    /// Instead of an input port: this copy gives no buffer back.
    static final int NO_INGRESS = Tag.PORTS_MAX - 1;

    private final PacketPool pool;
    private final Multicast multicast;
    private final int node;
    private final String name;
    private final boolean cutThrough;
    private final InfiniBandPort[] ports;
    private final ForwardingTable table = new ForwardingTable();
    private final SwitchPlace place;

    /// Of a switch with groups of ports in its table.
    private final @Nullable RouteChooser chooser;

    private final long latencyPs;
    private long discards;

    /// The slowest and the fastest of its cables.
    private long leastRate = Long.MAX_VALUE;

    private long mostRate;

    InfiniBandSwitch(
            Fabric fabric, FabricKind.InfiniBand kind, SwitchPlace place, int ports, int salt) {
        this.place = place;
        name = place.name();
        node = place.node();
        multicast = fabric.multicast();
        pool = fabric.pool();
        cutThrough = kind.cutThrough();
        this.ports = new InfiniBandPort[ports];
        latencyPs = fabric.settings().switchLatencyPs();
        chooser =
                kind.routing().spread() == FabricKind.Spread.ADAPTIVE
                        ? RouteChooser.of(kind.routing(), salt, place, this, fabric.clock())
                        : null;
    }

    void connect(InfiniBandPort port) {
        ports[port.number] = port;
        long rate = port.cable().rate().bitsPerSecond();
        leastRate = Math.min(leastRate, rate);
        mostRate = Math.max(mostRate, rate);
    }

    ForwardingTable table() {
        return table;
    }

    @Override
    boolean cutsThrough() {
        return cutThrough;
    }

    @Override
    void arrive(int handle, long tag, int port, long nowPs) {
        int lane = Tag.lane(tag);
        int blocks = CreditCount.blocks(Tag.wireBytes(tag));
        if (lane != VlArbiter.MANAGEMENT && !ports[port].giver().accept(lane, blocks)) {
            discards++;
            pool.give(handle);
            return;
        }
        int number = table.port(Tag.destination(tag));
        if (number < ports.length) {
            forward(handle, Tag.withIngress(tag, port), port, ports[number], nowPs);
        } else if (chooser != null && number == ForwardingTable.GROUP) {
            int out = chooser.choose(tag, place.equal(Tag.destination(tag) - 1));
            forward(handle, Tag.withIngress(tag, port), port, ports[out], nowPs);
        } else if (Tag.destination(tag) == Reductions.DESTINATION) {
            left(port, lane, Tag.wireBytes(tag), nowPs);
            reduce(handle, port, cutThrough ? restPs(ports[port], tag) : 0, nowPs);
        } else if (multicast.isGroup(Tag.destination(tag))) {
            scatter(handle, tag, port, nowPs);
        } else {
            discards++;
            left(port, lane, Tag.wireBytes(tag), nowPs);
            pool.give(handle);
        }
    }

    /// Writes the table for a host: a port, or its group where packets choose.
    void write(int lid, int host) {
        boolean isOwn = place.ownPort(host) != FixedRoutes.NOWHERE;
        boolean isGroup = chooser != null && !isOwn && place.equal(host).length > 1;
        int port = isGroup ? ForwardingTable.GROUP : place.leftPort(host);
        table.set(lid, port == FixedRoutes.NOWHERE ? ForwardingTable.NOWHERE : port);
    }

    @Override
    public long waitingBytes(int port, long tag) {
        InfiniBandPort out = ports[port];
        return out.waitingBytes(out.laneOf(Tag.entropy(tag)));
    }

    @Override
    public long bitsPerSecond(int port) {
        return ports[port].cable().rate().bitsPerSecond();
    }

    @Override
    SwitchPlace place() {
        return place;
    }

    /// The port by which a packet to a LID leaves; beyond its ports where it has none.
    int out(long tag) {
        return table.port(Tag.destination(tag));
    }

    private void forward(int handle, long tag, int in, InfiniBandPort out, long nowPs) {
        int outLane = outLane(out, tag, in);
        if (outLane == LaneMap.DROPPED) {
            discards++;
            left(Tag.ingress(tag), Tag.lane(tag), Tag.wireBytes(tag), nowPs);
            pool.give(handle);
            return;
        }
        long readyPs = nowPs + latencyPs;
        if (leastRate != mostRate) {
            readyPs += storePs(ports[in], out, tag);
        }
        out.offer(outLane, handle, tag, readyPs, nowPs);
    }

    /// The lane in which a packet leaves.
    int outLane(InfiniBandPort out, long tag, int in) {
        // On InfiniBand a tag has the service level where others have entropy.
        return out.laneFrom(in, Tag.entropy(tag));
    }

    /// How long a packet must wait that would leave faster than it arrives: until its last bit is
    /// there.
    private long storePs(InfiniBandPort in, InfiniBandPort out, long tag) {
        boolean isFaster = out.cable().rate().bitsPerSecond() > in.cable().rate().bitsPerSecond();
        return cutThrough && isFaster ? restPs(in, tag) : 0;
    }

    /// How long after its first bits the last bit of a packet arrives.
    private static long restPs(InfiniBandPort in, long tag) {
        int wireBytes = Tag.wireBytes(tag);
        return in.ps(wireBytes) - in.ps(Math.min(wireBytes, Link.HEAD_BYTES));
    }

    /// Sends a copy by every other port that leads to members.
    private void scatter(int handle, long tag, int port, long nowPs) {
        int[] numbers = multicast.ports(Tag.destination(tag), node);
        int last = slowest(numbers, port, Tag.entropy(tag));
        for (int number : numbers) {
            if (number != port && number != last) {
                long copied = Tag.withIngress(tag, NO_INGRESS);
                forward(pool.copy(handle), copied, port, ports[number], nowPs);
            }
        }
        if (last < 0) {
            left(port, Tag.lane(tag), Tag.wireBytes(tag), nowPs);
            pool.give(handle);
        } else {
            forward(handle, Tag.withIngress(tag, port), port, ports[last], nowPs);
        }
    }

    /// Of some ports, and not the one given, the one with the most bytes waiting; -1 if there is
    /// none.
    private int slowest(int[] numbers, int except, int level) {
        int found = -1;
        int most = -1;
        for (int number : numbers) {
            InfiniBandPort out = ports[number];
            int waiting = out.waitingBytes(out.laneFrom(except, level));
            if (number != except && waiting > most) {
                found = number;
                most = waiting;
            }
        }
        return found;
    }

    @Override
    void left(int ingress, int lane, int wireBytes, long nowPs) {
        if (lane != VlArbiter.MANAGEMENT && ingress != NO_INGRESS) {
            ports[ingress].giver().release(lane, CreditCount.blocks(wireBytes), nowPs);
        }
    }

    @Override
    InfiniBandPort port(int number) {
        return ports[number];
    }

    /// Packets without a table entry, or without room in a buffer.
    long discards() {
        return discards;
    }

    @Override
    public String toString() {
        return name;
    }
}
