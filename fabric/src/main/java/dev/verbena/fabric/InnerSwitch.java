package dev.verbena.fabric;

/// What joins the ranks of one host: every packet leaves as soon as its port is free. It has room
/// for all packets, so that it drops and holds back none.
final class InnerSwitch extends Node {
    private final Fabric fabric;
    private final SwitchPlace place;
    private final PlainPort[] ports;
    private final int firstDestination;

    InnerSwitch(Fabric fabric, SwitchPlace place, int ports) {
        this.fabric = fabric;
        this.place = place;
        this.ports = new PlainPort[ports];
        // Destinations are LIDs on InfiniBand, and numbers of hosts otherwise.
        firstDestination = fabric.lid(0);
    }

    void connect(PlainPort port) {
        ports[port.number] = port;
    }

    @Override
    void arrive(int handle, long tag, int port, long nowPs) {
        int number = place.ownPort(Tag.destination(tag) - firstDestination);
        if (number == FixedRoutes.NOWHERE) {
            fabric.unreachable();
            fabric.pool().give(handle);
        } else {
            ports[number].offer(0, handle, Tag.withIngress(tag, port), nowPs, nowPs);
        }
    }

    @Override
    void left(int ingress, int lane, int wireBytes, long nowPs) {}

    @Override
    boolean cutsThrough() {
        return true;
    }

    @Override
    PlainPort port(int number) {
        return ports[number];
    }

    @Override
    public String toString() {
        return place.name();
    }
}
