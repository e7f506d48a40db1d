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

    EthernetSwitch(Fabric fabric, FabricKind.Ethernet kind, Place place, int ports, int firstPort) {
        this.place = place;
        int salt = (int) (fabric.settings().seed() + firstPort) * SALT;
        chooser = RouteChooser.of(kind.spread(), salt);
        pool = fabric.pool();
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
    void arrive(Packet packet, int port, long nowPs) {
        if (packet.kind != Packet.Kind.DATA) {
            ports[port].heard(packet, nowPs);
            pool.give(packet);
            return;
        }
        packet.ingress = port;
        packet.ingressLane = packet.lane;
        if (buffer.admit(port, packet.lane, packet.bufferBytes, nowPs)) {
            pipeline.enter(packet, nowPs);
        } else {
            pool.give(packet);
        }
    }

    @Override
    public void passed(Packet packet, long nowPs) {
        OutPort out = ports[place.port(packet, chooser)];
        int lane = packet.lane;
        if (buffer.isTooLong(lane, out.queues.bytes(lane) + packet.bufferBytes)) {
            buffer.dropped();
            buffer.release(packet.ingress, lane, packet.bufferBytes, nowPs);
            pool.give(packet);
            return;
        }
        out.offer(packet, nowPs);
    }

    @Override
    void left(int ingress, int lane, int bytes, long nowPs) {
        buffer.release(ingress, lane, bytes, nowPs);
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
