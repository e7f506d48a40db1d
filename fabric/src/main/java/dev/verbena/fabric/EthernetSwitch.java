package dev.verbena.fabric;

/// A switch that stores and forwards, with memory for all ports together and priority flow control.
final class EthernetSwitch extends Node implements Pipeline.End, SharedBuffer.Pauser {
    private static final int SALT = 0x9E37_79B1;

    private final PacketPool pool;
    private final Place place;
    private final OutPort[] ports;
    private final PauseSender[] pausers;
    private final SharedBuffer buffer;
    private final Pipeline pipeline;
    private final RouteChooser chooser;

    /// Of a packet's link time, what is no part of it.
    private final int gapBytes;

    EthernetSwitch(Fabric fabric, FabricKind.Ethernet kind, Place place, int ports, int firstPort) {
        this.place = place;
        int salt = (int) (fabric.settings().seed() + firstPort) * SALT;
        chooser = RouteChooser.of(kind.spread(), salt);
        pool = fabric.pool();
        gapBytes = fabric.settings().framing().gapBytes();
        this.ports = new OutPort[ports];
        pausers = new PauseSender[ports];
        buffer = new SharedBuffer(kind.buffer(), ports, this);
        long latencyPs = fabric.settings().switchLatencyPs();
        pipeline = new Pipeline(fabric.clock(), Orders.pipeline(firstPort), latencyPs, this);
    }

    void connect(OutPort port, PauseSender pauser) {
        ports[port.number] = port;
        pausers[port.number] = pauser;
    }

    @Override
    void arrive(int handle, long tag, int port, long nowPs) {
        if (Frame.is(handle)) {
            ports[port].heard(tag, nowPs);
        } else if (buffer.admit(port, Tag.lane(tag), Tag.wireBytes(tag) - gapBytes, nowPs)) {
            pipeline.enter(handle, Tag.withIngress(tag, port), nowPs);
        } else {
            pool.give(handle);
        }
    }

    @Override
    public void passed(int handle, long tag, long nowPs) {
        OutPort out = ports[place.port(tag, chooser)];
        int lane = Tag.lane(tag);
        if (buffer.isTooLong(lane, out.queues.bytes(lane) + Tag.wireBytes(tag))) {
            buffer.dropped();
            left(Tag.ingress(tag), lane, Tag.wireBytes(tag), nowPs);
            pool.give(handle);
            return;
        }
        out.offer(lane, handle, tag, nowPs);
    }

    @Override
    void left(int ingress, int lane, int wireBytes, long nowPs) {
        buffer.release(ingress, lane, wireBytes - gapBytes, nowPs);
    }

    @Override
    public void pause(int port, int priority, boolean isXoff, long nowPs) {
        pausers[port].pause(priority, isXoff, nowPs);
    }

    SharedBuffer buffer() {
        return buffer;
    }

    OutPort port(int number) {
        return ports[number];
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
