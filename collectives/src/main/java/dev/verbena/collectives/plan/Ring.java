package dev.verbena.collectives.plan;

/// A ring: each rank sends to the next and receives from the one before.
///
/// A reduce-scatter is the steps 0 to n - 2: block b starts at rank b + 1 and ends, summed up, at
/// rank b. An all-gather is the steps n - 1 to 2n - 3: block b goes round from rank b. An
/// all-reduce is both. In step s a rank sends the block that it received in step s - 1, piece by
/// piece, so that the link never waits for the end of a step.
final class Ring extends CopyingPlan {
    /// Blocks of scratch in a reduce-scatter: the one that arrives, the one that leaves, and two
    /// whose acknowledgements are under way.
    private static final int SLOTS = 4;

    private final Collective operation;
    private final int rank;
    private final int size;
    private final Blocks[] blocks;
    private final int first;
    private final int end;
    private final int slots;

    Ring(Collective operation, int rank, int size, Blocks[] blocks) {
        super(rank);
        this.operation = operation;
        this.rank = rank;
        this.size = size;
        this.blocks = blocks;
        first = operation == Collective.ALL_GATHER ? size - 1 : 0;
        end = operation == Collective.REDUCE_SCATTER ? size - 1 : 2 * (size - 1);
        slots = operation == Collective.REDUCE_SCATTER ? Math.min(SLOTS, size - 2) : 0;
        if (operation == Collective.ALL_GATHER) {
            long own = blocks[0].whole(rank);
            copies(Place.INPUT, 0, Place.OUTPUT, blocks[0].wholeStart(rank), own);
        }
    }

    static Ring of(Shape shape) {
        Blocks[] blocks = shape.blocks().byLane(shape.lanes());
        return new Ring(shape.operation(), shape.rank(), shape.size(), blocks);
    }

    @Override
    public int lanes() {
        return blocks.length;
    }

    @Override
    public int sends(int lane) {
        return sendsBefore(lane, end);
    }

    @Override
    public int receives(int lane) {
        return receivesBefore(lane, end);
    }

    @Override
    public long scratch() {
        long sum = 0;
        for (Blocks lane : blocks) {
            sum += slots * lane.longest();
        }
        return sum;
    }

    @Override
    public void send(int lane, int index, Step into) {
        int step = stepOfSend(lane, index);
        int piece = index - sendsBefore(lane, step);
        int block = sentBlock(step);
        set(lane, step - 1, block, piece, into);
        into.peer = (rank + 1) % size;
        if (step == first) {
            into.place = Place.INPUT;
            into.offset = inputOffset(lane, block, piece);
        } else {
            into.afterReceives(lane, receivesBefore(lane, step - 1) + piece + 1);
        }
    }

    @Override
    public void receive(int lane, int index, Step into) {
        int step = stepOfReceive(lane, index);
        int piece = index - receivesBefore(lane, step);
        int block = sentBlock(step + 1);
        set(lane, step, block, piece, into);
        into.peer = Math.floorMod(rank - 1, size);
        if (step < size - 1) {
            into.with(Place.INPUT, inputOffset(lane, block, piece));
            if (into.place == Place.SCRATCH && step >= slots) {
                into.afterSends(lane, sendsBefore(lane, step - slots + 2));
            }
        } else if (first == 0) {
            into.afterSends(lane, sendsBefore(lane, step + 1 - size) + piece + 1);
        }
    }

    /// The step of the ring that a receive belongs to.
    int stepOfReceive(int lane, int index) {
        int low = first;
        int high = end;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (receivesBefore(lane, middle) <= index) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Receives of all steps before this one.
    int receivesBefore(int lane, int step) {
        return blocks[lane].piecesDownwards(sentBlock(first + 1), step - first);
    }

    private int sendsBefore(int lane, int step) {
        return blocks[lane].piecesDownwards(sentBlock(first), step - first);
    }

    private int stepOfSend(int lane, int index) {
        int low = first;
        int high = end;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (sendsBefore(lane, middle) <= index) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int sentBlock(int step) {
        return Math.floorMod(rank - step - 1, size);
    }

    /// The memory of a piece that is received in a step and sent in the next one.
    private void set(int lane, int received, int block, int piece, Step into) {
        Blocks of = blocks[lane];
        long start = of.pieceStart(block, piece);
        long count = of.pieceCount(block, piece);
        if (operation != Collective.REDUCE_SCATTER) {
            into.set(0, count, Place.OUTPUT, start);
        } else if (received == size - 2) {
            into.set(0, count, Place.OUTPUT, start - of.wholeStart(rank));
        } else if (received < 0) {
            into.set(0, count, Place.INPUT, start);
        } else {
            long slot = slotsBefore(lane) + received % slots * of.longest();
            into.set(0, count, Place.SCRATCH, slot + start - of.start(block));
        }
    }

    private long slotsBefore(int lane) {
        long sum = 0;
        for (int i = 0; i < lane; i++) {
            sum += slots * blocks[i].longest();
        }
        return sum;
    }

    /// The input of an all-gather is one block, that of the others all blocks.
    private long inputOffset(int lane, int block, int piece) {
        long start = blocks[lane].pieceStart(block, piece);
        return first == 0 ? start : start - blocks[lane].wholeStart(rank);
    }
}
