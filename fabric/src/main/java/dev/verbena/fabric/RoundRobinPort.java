package dev.verbena.fabric;

/// An Ethernet port of a switch that serves its inputs in turn, where others send packets in the
/// order in which they came.
///
/// In a ring of pauses it makes the difference: an input that is served in turn always gets on, so
/// that the buffer behind it empties at half of the rate whatever the other inputs offer.
final class RoundRobinPort extends EthernetPort {
    private final PacketPool pool;
    private final int inputs;

    /// By lane, the input that was served last.
    private final int[] last = new int[PRIORITIES];

    RoundRobinPort(Fabric fabric, FabricKind.Ethernet kind, PortPlace place, int inputs) {
        super(fabric, kind, place);
        pool = fabric.pool();
        this.inputs = inputs;
    }

    @Override
    int allowed(int lanesWaiting) {
        int may = super.allowed(lanesWaiting);
        for (int left = may; left != 0; left &= left - 1) {
            int lane = Integer.numberOfTrailingZeros(left);
            bringForward(lane, tag -> turn(lane, tag));
        }
        return may;
    }

    /// How many inputs have their turn before that of a packet.
    private int turn(int lane, long tag) {
        return Math.floorMod(Tag.ingress(tag) - last[lane] - 1, inputs);
    }

    @Override
    void leaving(int handle, int lane, int wireBytes) {
        super.leaving(handle, lane, wireBytes);
        last[lane] = Tag.ingress(pool.tag(handle));
    }
}
