package dev.verbena.fabric;

/// A switch with input buffers, credits and virtual lanes. Packets wait in the buffer of the port
/// by which they came, in a queue for each way out and lane, so that none waits behind one that
/// goes elsewhere.
final class InfiniBandSwitch extends Node implements Pipeline.End {
    private final PacketPool pool;
    private final String name;
    private final boolean cutThrough;
    private final InfiniBandPort[] ports;
    private final ForwardingTable table = new ForwardingTable();
    private final Pipeline pipeline;
    private long discards;

    InfiniBandSwitch(
            Fabric fabric, FabricKind.InfiniBand kind, String name, int ports, int firstPort) {
        this.name = name;
        pool = fabric.pool();
        cutThrough = kind.cutThrough();
        this.ports = new InfiniBandPort[ports];
        long latencyPs = fabric.settings().switchLatencyPs();
        pipeline = new Pipeline(fabric.clock(), Orders.pipeline(firstPort), latencyPs, this);
    }

    void connect(InfiniBandPort port) {
        ports[port.number] = port;
    }

    ForwardingTable table() {
        return table;
    }

    @Override
    boolean cutsThrough(int port, Rate rate) {
        return cutThrough;
    }

    @Override
    void arrive(Packet packet, int port, long nowPs) {
        if (packet.kind != Packet.Kind.DATA) {
            ports[port].heard(packet, nowPs);
            pool.give(packet);
            return;
        }
        packet.ingress = port;
        packet.ingressLane = packet.lane;
        int blocks = CreditCount.blocks(packet.bufferBytes);
        if (packet.lane == VlArbiter.MANAGEMENT
                || ports[port].giver().accept(packet.lane, blocks)) {
            pipeline.enter(packet, nowPs);
        } else {
            discards++;
            pool.give(packet);
        }
    }

    @Override
    public void passed(Packet packet, long nowPs) {
        int out = table.port(packet.destination + 1);
        if (out >= ports.length) {
            discards++;
            left(packet.ingress, packet.ingressLane, packet.bufferBytes, nowPs);
            pool.give(packet);
            return;
        }
        InfiniBandPort port = ports[out];
        packet.lane = port.laneOf(packet.route().level);
        port.offer(packet, nowPs);
    }

    @Override
    void left(int ingress, int lane, int bytes, long nowPs) {
        if (lane != VlArbiter.MANAGEMENT) {
            ports[ingress].giver().release(lane, CreditCount.blocks(bytes), nowPs);
        }
    }

    InfiniBandPort port(int number) {
        return ports[number];
    }

    /// Packets that no table entry knew, or no buffer took.
    long discards() {
        return discards;
    }

    @Override
    public String toString() {
        return name;
    }
}
