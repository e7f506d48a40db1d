package dev.verbena.fabric;

import java.util.Arrays;

/// The sending half of an InfiniBand port: a virtual lane without credit waits. Lane 15, which is
/// for management, needs none.
final class InfiniBandPort extends OutPort {
    static final int LANES = 16;

    private static final int MANAGEMENT = VlArbiter.MANAGEMENT;

    private final LaneMap lanes;
    private final int largestBlocks;
    private final int[] sent = new int[LANES];
    private final int[] limit = new int[LANES];
    private final CreditGiver giver;
    private long creditWaits;

    InfiniBandPort(Fabric fabric, FabricKind.InfiniBand kind, int order, Node owner, int number) {
        super(
                fabric.clock(),
                order,
                owner,
                number,
                new PortSetup(
                        fabric.settings().cable().rate(),
                        LANES,
                        () -> new VlArbiter(kind.arbitration())));
        lanes = kind.lanes();
        largestBlocks = CreditCount.blocks(fabric.settings().largestBufferBytes());
        giver =
                new CreditGiver(
                        fabric.pool(), this, kind, fabric.settings().framing().controlBytes());
        // Both ends have the same buffers, and told each other when the link came up.
        Arrays.fill(limit, giver.firstLimit());
    }

    CreditGiver giver() {
        return giver;
    }

    @Override
    int allowed(int waiting) {
        int may = waiting & (1 << MANAGEMENT);
        for (int left = waiting & ~(1 << MANAGEMENT); left != 0; left &= left - 1) {
            int lane = Integer.numberOfTrailingZeros(left);
            int blocks = CreditCount.blocks(queues.first(lane).bufferBytes);
            if (CreditCount.allows(limit[lane], sent[lane], blocks)) {
                may |= 1 << lane;
            } else {
                creditWaits++;
            }
        }
        return may;
    }

    @Override
    void leaving(Packet packet) {
        int lane = packet.lane;
        sent[lane] = (sent[lane] + CreditCount.blocks(packet.bufferBytes)) & CreditCount.MASK;
    }

    @Override
    void heard(Packet frame, long nowPs) {
        limit[frame.lane] = frame.value;
        wake(nowPs);
    }

    @Override
    void taken(Packet packet, long nowPs) {
        int blocks = CreditCount.blocks(packet.bufferBytes);
        if (packet.lane != MANAGEMENT && giver.accept(packet.lane, blocks)) {
            giver.release(packet.lane, blocks, nowPs);
        }
    }

    @Override
    int classes() {
        int levels = 0;
        for (int level = 0; level < LANES; level++) {
            int lane = lanes.lane(level);
            if (lane == MANAGEMENT || CreditCount.allows(limit[lane], sent[lane], largestBlocks)) {
                levels |= 1 << level;
            }
        }
        return levels;
    }

    @Override
    int laneOf(int level) {
        return lanes.lane(level);
    }

    /// How often something could not be sent for want of credit.
    long creditWaits() {
        return creditWaits;
    }
}
