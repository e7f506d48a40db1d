package dev.verbena.collectives.plan;

import org.jspecify.annotations.Nullable;

/// A vector in one block per rank, and each block in pieces, one piece per message.
///
/// A block that is not empty has pieces of at least one element and at most the largest message. An
/// empty block has no pieces, so that neither side has a message for it. Even blocks are computed
/// and take no memory; blocks of counts keep two numbers for each rank.
final class Blocks {
    private final int size;
    private final long piece;
    private final long base;
    private final int longer;
    private final int lane;
    private final int lanes;
    private final @Nullable Counts counts;
    private final int[] before;
    private final long longest;

    private Blocks(int size, long total, long piece, int lane, int lanes, @Nullable Counts counts) {
        this.size = size;
        this.piece = piece;
        this.base = total / size;
        this.longer = (int) (total % size);
        this.lane = lane;
        this.lanes = lanes;
        this.counts = counts;
        if (counts == null) {
            before = new int[0];
            longest = count(0);
            requireCountable(Math.ceilDiv(longest, piece) * size, piece);
            return;
        }
        before = new int[size + 1];
        long most = 0;
        for (int i = 0; i < size; i++) {
            before[i + 1] = Math.addExact(before[i], pieces(i));
            most = Math.max(most, count(i));
        }
        longest = most;
        requireCountable(before[size], piece);
    }

    /// As even blocks as can be; the first ones have an element more.
    static Blocks split(long total, int size, long piece) {
        return new Blocks(size, total, piece, 0, 1, null);
    }

    static Blocks of(Counts counts, long piece) {
        return new Blocks(counts.size(), 0, piece, 0, 1, counts);
    }

    /// The part of each block that one of several lanes carries.
    Blocks ofLane(int which, int of) {
        return new Blocks(size, base * size + longer, piece, which, of, counts);
    }

    /// These blocks by lane: one lane for short blocks, at most so many for long ones.
    Blocks[] byLane(int most) {
        long wanted = Math.max(1, Math.ceilDiv(longest, piece));
        Blocks[] all = new Blocks[(int) Math.min(most, wanted)];
        for (int i = 0; i < all.length; i++) {
            all[i] = ofLane(i, all.length);
        }
        return all;
    }

    int size() {
        return size;
    }

    long longest() {
        return longest;
    }

    long count(int block) {
        return part(whole(block), lanes, lane);
    }

    long start(int block) {
        return wholeStart(block) + partStart(whole(block), lanes, lane);
    }

    /// Where the block begins, whatever part of it the lane carries.
    long wholeStart(int block) {
        return counts != null ? counts.offset(block) : block * base + Math.min(block, longer);
    }

    int pieces(int block) {
        return pieces(count(block), piece);
    }

    /// Pieces of all blocks before this one; of all blocks for the block `size`.
    int piecesBefore(int block) {
        if (counts != null) {
            return before[block];
        }
        int more = Math.min(block, longer);
        int sum = more == 0 ? 0 : more * pieces(0);
        return block == more ? sum : sum + (block - more) * pieces(size - 1);
    }

    /// Pieces of so many blocks upwards from this one; after the last block follows the first.
    int piecesUpwards(int block, int blocks) {
        int rounds = blocks / size;
        int rest = blocks % size;
        int end = block + rest;
        int sum = rounds * piecesBefore(size) - piecesBefore(block);
        return end <= size
                ? sum + piecesBefore(end)
                : sum + piecesBefore(size) + piecesBefore(end - size);
    }

    /// Pieces of so many blocks downwards from this one; after the first block follows the last.
    int piecesDownwards(int block, int blocks) {
        return piecesUpwards(Math.floorMod(block - blocks + 1, size), blocks);
    }

    /// Pieces of the blocks `block ^ 1`, `block ^ 2`, … before `block ^ end`. The number of blocks
    /// is a power of two: then these are, for each bit of `end`, neighbours.
    int piecesMirrored(int block, int end) {
        int sum = -pieces(block);
        for (int seen = 0; seen < end; ) {
            int many = Integer.highestOneBit(end - seen);
            int first = (block ^ seen) & -many;
            sum += piecesBefore(first + many) - piecesBefore(first);
            seen += many;
        }
        return sum;
    }

    /// Elements of so many blocks upwards from this one, whatever parts lanes carry.
    long elementsUpwards(int block, int blocks) {
        int end = block + blocks;
        return end <= size
                ? startOrEnd(end) - startOrEnd(block)
                : startOrEnd(size) - startOrEnd(block) + startOrEnd(end - size);
    }

    long pieceStart(int block, int index) {
        long count = count(block);
        return start(block) + partStart(count, pieces(count, piece), index);
    }

    long pieceCount(int block, int index) {
        long count = count(block);
        return part(count, pieces(count, piece), index);
    }

    static int pieces(long count, long piece) {
        return Math.toIntExact(Math.ceilDiv(count, piece));
    }

    /// Elements of one of several parts, as even as can be.
    static long part(long total, int parts, int index) {
        return total / parts + (index < total % parts ? 1 : 0);
    }

    static long partStart(long total, int parts, int index) {
        return index * (total / parts) + Math.min(index, total % parts);
    }

    /// The part that holds an element.
    static int partOf(long total, int parts, long element) {
        long least = total / parts;
        long more = total % parts;
        long inLonger = more * (least + 1);
        return element < inLonger
                ? (int) (element / (least + 1))
                : (int) (more + (element - inLonger) / least);
    }

    /// Elements of the block in all lanes.
    long whole(int block) {
        return counts != null ? counts.count(block) : base + (block < longer ? 1 : 0);
    }

    private long startOrEnd(int block) {
        if (block < size) {
            return wholeStart(block);
        }
        return size == 0 ? 0 : wholeStart(size - 1) + whole(size - 1);
    }

    /// A lane counts its messages with an int, and a ring or a tree sends each piece twice.
    static void requireCountable(long messages, long piece) {
        if (messages > Integer.MAX_VALUE / 4) {
            throw new IllegalArgumentException(
                    "%d messages of %d elements in one lane: make the pieces longer"
                            .formatted(messages, piece));
        }
    }
}
