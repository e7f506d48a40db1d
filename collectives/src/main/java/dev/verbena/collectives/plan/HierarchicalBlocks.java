package dev.verbena.collectives.plan;

/// An all-gather and a reduce-scatter in which each block goes from host to host once for each
/// host, not for each rank.
///
/// An all-gather goes round the ring of the ranks of the same index, and each block that arrives is
/// spread within the host. A reduce-scatter sums up within the host first, host by host in the
/// order in which the ring needs the sums. The ring has the first half of the lanes, the host the
/// second.
final class HierarchicalBlocks extends CopyingPlan {
    private final boolean gathers;
    private final long count;
    private final int group;
    private final int hosts;
    private final int host;
    private final int local;
    private final Ring ring;
    private final Pairwise within;
    private final Blocks[] blocks;

    HierarchicalBlocks(Shape shape) {
        super(shape.rank());
        gathers = shape.operation() == Collective.ALL_GATHER;
        count = shape.count();
        group = shape.groupSize();
        hosts = shape.size() / group;
        host = shape.rank() / group;
        local = shape.rank() % group;
        long piece = shape.pieceElements();
        Blocks.requireCountable(Math.ceilDiv(count, piece) * shape.size(), piece);
        Blocks[] between = Blocks.split(count * hosts, hosts, piece).byLane(shape.lanes());
        blocks = Blocks.split(count * group, group, piece).byLane(shape.lanes());
        ring = new Ring(shape.operation(), host, hosts, between);
        within = new Pairwise(shape.operation(), local, group, 0, blocks, blocks);
        if (gathers) {
            copies(Place.INPUT, 0, Place.OUTPUT, shape.rank() * count, count);
        }
    }

    @Override
    public int lanes() {
        return 2 * blocks.length;
    }

    @Override
    public int sends(int lane) {
        return lane < blocks.length ? ring.sends(lane) : hosts * within.sends(inner(lane));
    }

    @Override
    public int receives(int lane) {
        return lane < blocks.length ? ring.receives(lane) : hosts * within.receives(inner(lane));
    }

    @Override
    public long scratch() {
        return gathers ? 0 : hosts * count + ring.scratch();
    }

    @Override
    public void send(int lane, int index, Step into) {
        if (lane < blocks.length) {
            ring.send(lane, index, into);
            placeBetween(into);
            if (!gathers && into.receives == 0) {
                afterSums(lane, 0, index, into);
            }
            return;
        }
        int each = within.sends(inner(lane));
        int turn = index / each;
        within.send(inner(lane), index % each, into);
        placeWithin(turn, into);
        if (gathers && turn > 0) {
            int piece = index % each % pieces(inner(lane));
            int step = hosts - 1 + turn - 1;
            int received = ring.receivesBefore(inner(lane), step);
            into.afterReceives(inner(lane), received + piece + 1);
        }
    }

    @Override
    public void receive(int lane, int index, Step into) {
        if (lane < blocks.length) {
            ring.receive(lane, index, into);
            placeBetween(into);
            if (!gathers) {
                int step = ring.stepOfReceive(lane, index);
                int piece = index - ring.receivesBefore(lane, step);
                afterSums(lane, step + 1, piece, into);
            }
            return;
        }
        int each = within.receives(inner(lane));
        within.receive(inner(lane), index % each, into);
        placeWithin(index / each, into);
    }

    /// The step waits for the sum of the host in this turn: for the piece from the last rank.
    private void afterSums(int lane, int turn, int piece, Step into) {
        int each = within.receives(lane);
        into.afterReceives(lane + blocks.length, (turn + 1) * each - pieces(lane) + piece + 1);
    }

    /// Blocks of the ring are one for each host; in the whole they are one for each rank.
    private void placeBetween(Step into) {
        into.peer = into.peer * group + local;
        if (gathers) {
            if (into.place == Place.OUTPUT) {
                long block = into.offset / count;
                into.offset += (block * (group - 1) + local) * count;
                into.operandOffset = into.offset;
            }
            return;
        }
        if (into.place != Place.OUTPUT) {
            into.offset += into.place == Place.SCRATCH ? hosts * count : 0;
            into.place = Place.SCRATCH;
        }
        into.operand = Place.SCRATCH;
    }

    private void placeWithin(int turn, Step into) {
        into.peer += host * group;
        int of = Math.floorMod(host - turn - (gathers ? 0 : 1), hosts);
        long start = (long) of * group * count;
        if (gathers) {
            into.offset += start + (into.place == Place.INPUT ? local * count : 0);
            into.place = Place.OUTPUT;
            return;
        }
        if (into.operand == Place.INPUT) {
            into.operandOffset += start;
        } else {
            into.operand = Place.SCRATCH;
            into.operandOffset += of * count;
        }
        if (into.place == Place.INPUT) {
            into.offset += start;
        } else {
            into.place = Place.SCRATCH;
            into.offset += of * count;
        }
    }

    private int inner(int lane) {
        return lane < blocks.length ? lane : lane - blocks.length;
    }

    private int pieces(int lane) {
        return blocks[lane].pieces(0);
    }
}
