package dev.verbena.fabric;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The sending half of an InfiniBand port: a virtual lane without credit waits. Lane 15, which is
/// for management, needs none.
final class InfiniBandPort extends OutPort {
    static final int LANES = 16;

    private static final int MANAGEMENT = VlArbiter.MANAGEMENT;

    /// The arbiter of this port.
    private final VlArbiter arbiter;

    /// Of packets of the node itself, and of all others as long as no manager says otherwise.
    private LaneMap levels;

    /// By input port, what a manager has written.
    private LaneMap @Nullable [] byInput;

    private final int largestBlocks;
    private final int[] sent = new int[LANES];
    private final int[] limit = new int[LANES];
    private final CreditGiver giver;
    private final long[] waitSincePs = new long[LANES];
    private final long[] waitPs = new long[LANES];
    private int withoutCredit;

    /// Credits do not matter then: what is sent is lost.
    private boolean isUnplugged;

    InfiniBandPort(Fabric fabric, FabricKind.InfiniBand kind, PortPlace place) {
        this(fabric, kind, place, new VlArbiter(kind.arbitration()));
    }

    private InfiniBandPort(
            Fabric fabric, FabricKind.InfiniBand kind, PortPlace place, VlArbiter arbiter) {
        super(fabric, place, LANES, arbiter);
        this.arbiter = arbiter;
        levels = kind.lanes();
        largestBlocks = CreditCount.blocks(fabric.settings().largestWireBytes());
        giver = new CreditGiver(this, kind, largestBlocks);
        // Both ends have the same buffers, and exchanged credits when the link came up.
        Arrays.fill(limit, giver.firstLimit());
    }

    CreditGiver giver() {
        return giver;
    }

    /// Blocks that have left in a lane.
    int sentBlocks(int lane) {
        return sent[lane];
    }

    @Override
    int allowed(int lanesWaiting) {
        if (isUnplugged) {
            return lanesWaiting;
        }
        int may = lanesWaiting & (1 << MANAGEMENT);
        for (int left = lanesWaiting & ~(1 << MANAGEMENT); left != 0; left &= left - 1) {
            int lane = Integer.numberOfTrailingZeros(left);
            int blocks = CreditCount.blocks(firstBytes(lane));
            if (CreditCount.allows(limit[lane], sent[lane], blocks)) {
                may |= 1 << lane;
            } else {
                waits(lane);
            }
        }
        return may;
    }

    @Override
    boolean isHeld(int lane) {
        if (isUnplugged || lane == MANAGEMENT || !(neighbour() instanceof InfiniBandPort far)) {
            return false;
        }
        int blocks = CreditCount.blocks(firstBytes(lane));
        return !CreditCount.allows(far.giver().told(lane), sent[lane], blocks);
    }

    @Override
    void held(int classes) {
        for (int left = classes; left != 0; left &= left - 1) {
            waits(levels.lane(Integer.numberOfTrailingZeros(left)));
        }
    }

    private void waits(int lane) {
        if ((withoutCredit & (1 << lane)) == 0) {
            withoutCredit |= 1 << lane;
            waitSincePs[lane] = clock.nowPs();
        }
    }

    @Override
    void leaving(int handle, int lane, int wireBytes) {
        sent[lane] = (sent[lane] + CreditCount.blocks(wireBytes)) & CreditCount.MASK;
        if ((withoutCredit & (1 << lane)) != 0) {
            withoutCredit &= ~(1 << lane);
            waitPs[lane] += clock.nowPs() - waitSincePs[lane];
        }
    }

    /// The next credit frame makes up for one that is lost, and a real port sends some also when
    /// nothing has changed, which is not simulated: so none is lost.
    @Override
    boolean mayLose(long tag) {
        return !LinkFrame.is(tag);
    }

    @Override
    void unplugged(long nowPs) {
        isUnplugged = true;
        super.unplugged(nowPs);
    }

    /// Both ends begin to count anew, as when the link came up for the first time.
    @Override
    void plugged(long nowPs) {
        isUnplugged = false;
        if (neighbour() instanceof InfiniBandPort far) {
            for (int lane = 0; lane < LANES; lane++) {
                sent[lane] = far.giver().received(lane);
                limit[lane] = far.giver().retell(lane);
            }
        }
        super.plugged(nowPs);
    }

    @Override
    void heard(long frame, long nowPs) {
        limit[LinkFrame.lane(frame)] = LinkFrame.value(frame);
        wake(nowPs);
    }

    @Override
    void taken(long tag, long nowPs) {
        int lane = Tag.lane(tag);
        int blocks = CreditCount.blocks(Tag.wireBytes(tag));
        if (lane != MANAGEMENT && giver.accept(lane, blocks)) {
            giver.release(lane, blocks, nowPs);
        }
    }

    @Override
    int classes() {
        if (isUnplugged) {
            return ~0;
        }
        int may = 0;
        for (int level = 0; level < LANES; level++) {
            int lane = levels.lane(level);
            if (lane == MANAGEMENT || CreditCount.allows(limit[lane], sent[lane], largestBlocks)) {
                may |= 1 << level;
            }
        }
        return may;
    }

    @Override
    int laneOf(int level) {
        return levels.lane(level);
    }

    /// The lane of packets that have come by another port.
    int laneFrom(int input, int level) {
        LaneMap[] written = byInput;
        return written == null ? levels.lane(level) : written[input].lane(level);
    }

    /// Puts a table of a manager in force.
    ///
    /// @param input the port by which packets come; -1 for those of the node itself
    void levels(int input, int inputs, LaneMap map) {
        LaneMap[] written = byInput;
        if (written == null) {
            written = new LaneMap[inputs];
            Arrays.fill(written, levels);
            byInput = written;
        }
        if (input < 0) {
            levels = map;
        } else {
            written[input] = map;
        }
    }

    /// Whether a manager has written such tables.
    boolean isWritten() {
        return byInput != null;
    }

    void arbitration(VlArbitration tables) {
        arbiter.use(tables);
    }

    /// Time in which a lane had a packet to send and no credit for it.
    long waitPs(int lane, long nowPs) {
        boolean isWaiting = (withoutCredit & (1 << lane)) != 0;
        return waitPs[lane] + (isWaiting ? nowPs - waitSincePs[lane] : 0);
    }
}
