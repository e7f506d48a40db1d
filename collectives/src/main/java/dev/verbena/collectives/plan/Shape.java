package dev.verbena.collectives.plan;

import org.jspecify.annotations.Nullable;

/// One rank's view of a collective operation: all that a plan depends on.
///
/// Everything but `rank`, and in an all-to-all the counts, must be equal on all ranks.
///
/// @param root the rank that sends or receives; 0 where the operation has none
/// @param count elements of the vector in an all-reduce, a broadcast and a reduce; elements per
///   rank in a reduce-scatter (the result), an all-gather, a gather, a scatter and an all-to-all
/// @param pieceElements the largest message; a longer one is cut into pieces
/// @param groupSize ranks on one host, where the ranks of a host are neighbours; 1 if unknown
/// @param lanes the most lanes for one direction of a ring; a short message takes one
/// @param window messages of an all-to-all that a rank has under way: with more of them messages to
///   different ranks get in each other's way, with fewer the link waits for acknowledgements
/// @param counts replaces `count` where ranks differ: by rank, and in an all-to-all what this rank
///   sends to each
/// @param receiveCounts in an all-to-all with `counts`: what this rank receives from each
public record Shape(
        Collective operation,
        int rank,
        int size,
        int root,
        long count,
        long pieceElements,
        int groupSize,
        int lanes,
        int window,
        @Nullable Counts counts,
        @Nullable Counts receiveCounts) {

    /// Elements of the largest message, unless another is named.
    public static final long PIECE_ELEMENTS = 65536;

    /// Messages of an all-to-all under way, unless another number is named.
    public static final int WINDOW = 4;

    public Shape {
        requireInside(size, 1, Integer.MAX_VALUE, "ranks");
        requireInside(rank, 0, size - 1L, "rank");
        requireInside(root, 0, size - 1L, "root");
        requireInside(count, 0, Long.MAX_VALUE, "count");
        requireInside(pieceElements, 1, Long.MAX_VALUE, "elements of a piece");
        requireInside(groupSize, 1, Integer.MAX_VALUE, "ranks on a host");
        requireInside(lanes, 1, Integer.MAX_VALUE, "lanes");
        requireInside(window, 1, Integer.MAX_VALUE, "window");
        requireCounts(operation, size, counts, receiveCounts);
    }

    public static Shape of(Collective operation, int rank, int size, long count) {
        return new Shape(operation, rank, size, 0, count, PIECE_ELEMENTS, 1, 2, WINDOW, null, null);
    }

    public Shape withRoot(int rootRank) {
        return new Shape(
                operation,
                rank,
                size,
                rootRank,
                count,
                pieceElements,
                groupSize,
                lanes,
                window,
                counts,
                receiveCounts);
    }

    public Shape withPieces(long elements) {
        return new Shape(
                operation,
                rank,
                size,
                root,
                count,
                elements,
                groupSize,
                lanes,
                window,
                counts,
                receiveCounts);
    }

    public Shape withGroups(int ranksOnHost) {
        return new Shape(
                operation,
                rank,
                size,
                root,
                count,
                pieceElements,
                ranksOnHost,
                lanes,
                window,
                counts,
                receiveCounts);
    }

    public Shape withLanes(int most) {
        return new Shape(
                operation,
                rank,
                size,
                root,
                count,
                pieceElements,
                groupSize,
                most,
                window,
                counts,
                receiveCounts);
    }

    public Shape withWindow(int messages) {
        return new Shape(
                operation,
                rank,
                size,
                root,
                count,
                pieceElements,
                groupSize,
                lanes,
                messages,
                counts,
                receiveCounts);
    }

    /// Counts by rank, equal on all ranks.
    public Shape withCounts(Counts byRank) {
        return new Shape(
                operation,
                rank,
                size,
                root,
                0,
                pieceElements,
                groupSize,
                lanes,
                window,
                byRank,
                null);
    }

    /// Counts of an all-to-all: what this rank sends to each and receives from each.
    public Shape withCounts(Counts sent, Counts received) {
        return new Shape(
                operation,
                rank,
                size,
                root,
                0,
                pieceElements,
                groupSize,
                lanes,
                window,
                sent,
                received);
    }

    /// Elements of all ranks together; in an all-to-all, of all that this rank sends.
    public long total() {
        if (counts != null) {
            return counts.total();
        }
        return vector() ? count : Math.multiplyExact(count, (long) size);
    }

    /// Whether `count` is the length of a vector that all ranks share, and not of one rank's part.
    boolean vector() {
        return switch (operation) {
            case ALL_REDUCE, BROADCAST, REDUCE, BARRIER -> true;
            case REDUCE_SCATTER, ALL_GATHER, GATHER, SCATTER, ALL_TO_ALL -> false;
        };
    }

    /// One part of each rank, cut into pieces; of a vector, as even parts as can be.
    Blocks blocks() {
        return counts != null
                ? Blocks.of(counts, pieceElements)
                : Blocks.split(total(), size, pieceElements);
    }

    /// What an all-to-all receives from each rank.
    Blocks received() {
        return receiveCounts != null ? Blocks.of(receiveCounts, pieceElements) : blocks();
    }

    private static void requireCounts(
            Collective operation, int size, @Nullable Counts counts, @Nullable Counts received) {
        boolean both = operation == Collective.ALL_TO_ALL;
        require(
                (received != null) == (both && counts != null),
                "an all-to-all has counts for both directions, other operations have one");
        if (counts == null) {
            return;
        }
        boolean parts =
                switch (operation) {
                    case ALL_REDUCE, BROADCAST, REDUCE, BARRIER -> false;
                    case REDUCE_SCATTER, ALL_GATHER, GATHER, SCATTER, ALL_TO_ALL -> true;
                };
        require(parts, operation + " has one count, not one for each rank");
        require(counts.size() == size, counts.size() + " counts for " + size + " ranks");
        require(
                received == null || received.size() == size,
                "counts to receive must be as many as ranks: " + size);
        require(both || counts.packed(), "only an all-to-all has offsets of its own");
    }

    /// Text is made where it is needed only: a shape is made for each operation.
    private static void requireInside(long value, long least, long most, String what) {
        if (value < least || value > most) {
            String range = most == Long.MAX_VALUE ? "%d or more" : "%d to %d";
            throw new IllegalArgumentException(
                    ("%s %d: must be " + range).formatted(what, value, least, most));
        }
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
