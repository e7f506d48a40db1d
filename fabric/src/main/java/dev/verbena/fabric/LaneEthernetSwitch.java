package dev.verbena.fabric;

/// An Ethernet switch that writes another priority into packets as they go on, by their input and
/// output ports. Pauses towards a neighbour are for the priority in which it sent.
final class LaneEthernetSwitch extends EthernetSwitch {
    private final int node;
    private final LaneRule rule;

    LaneEthernetSwitch(
            Fabric fabric,
            FabricKind.Ethernet kind,
            SwitchPlace place,
            int ports,
            int firstPort,
            LaneRule rule) {
        super(fabric, kind, place, ports, firstPort);
        node = place.node();
        this.rule = rule;
    }

    @Override
    int outLane(int lane, int in, int out) {
        return rule.lane(node, in, out, lane);
    }
}
