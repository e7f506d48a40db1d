package dev.verbena.collectives.plan;

/// Each rank exchanges with each other rank, one distance after the other, without a detour: in the
/// round of distance d a rank sends to the rank d after it and receives from the rank d before it.
///
/// In an all-to-all of 2, 4, 8, … ranks it is the rank `rank ^ d` for both. So all ranks behind a
/// switch meet each other in the same rounds and all others in the same rounds: no rank gets ahead
/// because its partner is nearer than those of others, and no two messages of one round share a
/// cable of a fat tree with full bandwidth, whose hosts behind a switch are a power of two.
///
/// A gather and a scatter are the rounds of the root alone.
final class Pairwise extends CopyingPlan {
    private final Collective operation;
    private final int rank;
    private final int size;
    private final int root;
    private final int window;
    private final boolean mirrors;
    private final Blocks[] sent;
    private final Blocks[] received;

    private Pairwise(Shape shape, Blocks[] sent, Blocks[] received) {
        this(
                shape.operation(),
                shape.rank(),
                shape.size(),
                shape.root(),
                shape.window(),
                sent,
                received);
    }

    /// A part of a larger plan, with as many messages under way as there are.
    Pairwise(Collective operation, int rank, int size, int root, Blocks[] sent, Blocks[] received) {
        this(operation, rank, size, root, Integer.MAX_VALUE, sent, received);
    }

    private Pairwise(
            Collective operation,
            int rank,
            int size,
            int root,
            int window,
            Blocks[] sent,
            Blocks[] received) {
        super(rank);
        this.operation = operation;
        this.rank = rank;
        this.size = size;
        this.root = root;
        this.window = window;
        this.mirrors = operation == Collective.ALL_TO_ALL && Integer.bitCount(size) == 1;
        this.sent = sent;
        this.received = received;
        copyOwn();
    }

    static Pairwise of(Shape shape) {
        Blocks[] sent = shape.blocks().byLane(shape.lanes());
        Blocks[] received = sent;
        if (shape.receiveCounts() != null) {
            // Peers do not know each other's counts, so that the lanes cannot depend on them.
            sent = new Blocks[shape.lanes()];
            received = new Blocks[shape.lanes()];
            for (int i = 0; i < sent.length; i++) {
                sent[i] = shape.blocks().ofLane(i, sent.length);
                received[i] = shape.received().ofLane(i, sent.length);
            }
        }
        return new Pairwise(shape, sent, received);
    }

    @Override
    public int lanes() {
        return sent.length;
    }

    @Override
    public int sends(int lane) {
        return rank == root || all() ? sendsBefore(lane, size) : toRoot() ? own(lane) : 0;
    }

    @Override
    public int receives(int lane) {
        return rank == root || all() ? receivesBefore(lane, size) : toRoot() ? 0 : own(lane);
    }

    @Override
    public void send(int lane, int index, Step into) {
        if (operation == Collective.GATHER) {
            setOwn(sent[lane], root, index, Place.INPUT, into);
            return;
        }
        int round = 1;
        for (int end = size; end - round > 1; ) {
            int middle = (round + end) >>> 1;
            if (sendsBefore(lane, middle) <= index) {
                round = middle;
            } else {
                end = middle;
            }
        }
        int peer = mirrors ? rank ^ round : (rank + round) % size;
        int piece = index - sendsBefore(lane, round);
        if (operation == Collective.ALL_GATHER) {
            setOwn(sent[lane], peer, piece, Place.INPUT, into);
        } else {
            set(sent[lane], peer, piece, Place.INPUT, into);
        }
        if (all() && index >= window) {
            into.afterSends(lane, index - window + 1);
        }
    }

    @Override
    public void receive(int lane, int index, Step into) {
        if (operation == Collective.SCATTER) {
            setOwn(received[lane], root, index, Place.OUTPUT, into);
            return;
        }
        int round = 1;
        for (int end = size; end - round > 1; ) {
            int middle = (round + end) >>> 1;
            if (receivesBefore(lane, middle) <= index) {
                round = middle;
            } else {
                end = middle;
            }
        }
        int peer = mirrors ? rank ^ round : Math.floorMod(rank - round, size);
        int piece = index - receivesBefore(lane, round);
        if (operation != Collective.REDUCE_SCATTER) {
            set(received[lane], peer, piece, Place.OUTPUT, into);
            return;
        }
        setOwn(received[lane], peer, piece, Place.OUTPUT, into);
        if (round == 1) {
            into.with(Place.INPUT, received[lane].pieceStart(rank, piece));
        } else {
            into.with(Place.OUTPUT, into.offset);
        }
    }

    /// Sends of the rounds 1 to `round` - 1.
    private int sendsBefore(int lane, int round) {
        return switch (operation) {
            case GATHER -> 0;
            case ALL_GATHER -> (round - 1) * own(lane);
            default ->
                    mirrors
                            ? sent[lane].piecesMirrored(rank, round)
                            : sent[lane].piecesUpwards((rank + 1) % size, round - 1);
        };
    }

    private int receivesBefore(int lane, int round) {
        return switch (operation) {
            case SCATTER -> 0;
            case REDUCE_SCATTER -> (round - 1) * own(lane);
            default ->
                    mirrors
                            ? received[lane].piecesMirrored(rank, round)
                            : received[lane].piecesDownwards(
                                    Math.floorMod(rank - 1, size), round - 1);
        };
    }

    /// Pieces of the rank's own block.
    private int own(int lane) {
        return sent[lane].pieces(rank);
    }

    private boolean toRoot() {
        return operation == Collective.GATHER;
    }

    private boolean all() {
        return operation != Collective.GATHER && operation != Collective.SCATTER;
    }

    private static void set(Blocks blocks, int peer, int piece, Place place, Step into) {
        into.set(peer, blocks.pieceCount(peer, piece), place, blocks.pieceStart(peer, piece));
    }

    /// The rank's own block in memory that holds no other.
    private void setOwn(Blocks blocks, int peer, int piece, Place place, Step into) {
        long offset = blocks.pieceStart(rank, piece) - blocks.wholeStart(rank);
        into.set(peer, blocks.pieceCount(rank, piece), place, offset);
    }

    private void copyOwn() {
        long own = sent[0].whole(rank);
        long from = sent[0].wholeStart(rank);
        long to = received[0].wholeStart(rank);
        switch (operation) {
            case ALL_GATHER -> copies(Place.INPUT, 0, Place.OUTPUT, to, own);
            case ALL_TO_ALL -> copies(Place.INPUT, from, Place.OUTPUT, to, own);
            case GATHER -> {
                if (rank == root) {
                    copies(Place.INPUT, 0, Place.OUTPUT, to, own);
                }
            }
            case SCATTER -> {
                if (rank == root) {
                    copies(Place.INPUT, from, Place.OUTPUT, 0, own);
                }
            }
            default -> {}
        }
    }
}
