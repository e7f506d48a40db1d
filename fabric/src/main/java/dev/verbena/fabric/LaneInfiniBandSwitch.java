package dev.verbena.fabric;

/// An InfiniBand switch that chooses the virtual lane by input port, output port and the lane in
/// which a packet came. IBA 7.6.6 has the service level in place of the last: a port whose tables a
/// subnet manager has written goes by them instead.
final class LaneInfiniBandSwitch extends InfiniBandSwitch {
    private final int node;
    private final LaneRule rule;

    LaneInfiniBandSwitch(
            Fabric fabric,
            FabricKind.InfiniBand kind,
            SwitchPlace place,
            int ports,
            int salt,
            LaneRule rule) {
        super(fabric, kind, place, ports, salt);
        node = place.node();
        this.rule = rule;
    }

    @Override
    int outLane(InfiniBandPort out, long tag, int in) {
        if (out.isWritten()) {
            return super.outLane(out, tag, in);
        }
        int lane = Tag.lane(tag);
        return lane == VlArbiter.MANAGEMENT ? lane : rule.lane(node, in, out.number, lane);
    }
}
