package dev.verbena.fabric;

/// A switch with input buffers, credits and virtual lanes. Packets wait in the buffer of their
/// input port, in a queue for each output port and lane, so that no packet waits behind one for
/// another port.
final class InfiniBandSwitch extends Node {
    private final PacketPool pool;
    private final String name;
    private final boolean cutThrough;
    private final InfiniBandPort[] ports;
    private final ForwardingTable table = new ForwardingTable();
    private final long latencyPs;
    private long discards;

    /// The slowest and the fastest of its cables.
    private long leastRate = Long.MAX_VALUE;

    private long mostRate;

    InfiniBandSwitch(Fabric fabric, FabricKind.InfiniBand kind, String name, int ports) {
        this.name = name;
        pool = fabric.pool();
        cutThrough = kind.cutThrough();
        this.ports = new InfiniBandPort[ports];
        latencyPs = fabric.settings().switchLatencyPs();
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
        if (number >= ports.length) {
            discards++;
            left(port, lane, Tag.wireBytes(tag), nowPs);
            pool.give(handle);
            return;
        }
        InfiniBandPort out = ports[number];
        // On InfiniBand a tag has the service level where others have entropy.
        int outLane = out.laneOf(Tag.entropy(tag));
        long readyPs = nowPs + latencyPs;
        if (leastRate != mostRate) {
            readyPs += storePs(ports[port], out, Tag.wireBytes(tag));
        }
        out.offer(outLane, handle, Tag.withIngress(tag, port), readyPs, nowPs);
    }

    /// How long a packet must wait that would leave faster than it arrives: until its last bit is
    /// there.
    private long storePs(InfiniBandPort in, InfiniBandPort out, int wireBytes) {
        boolean isFaster = out.cable().rate().bitsPerSecond() > in.cable().rate().bitsPerSecond();
        return cutThrough && isFaster
                ? in.ps(wireBytes) - in.ps(Math.min(wireBytes, Link.HEAD_BYTES))
                : 0;
    }

    @Override
    void left(int ingress, int lane, int wireBytes, long nowPs) {
        if (lane != VlArbiter.MANAGEMENT) {
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
