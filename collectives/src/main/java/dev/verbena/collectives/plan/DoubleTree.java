package dev.verbena.collectives.plan;

import dev.verbena.collectives.plan.Pipeline.Tree;

/// Two binary trees over the same ranks, each for half of the vector. A rank has children in at
/// most one of them, so that no rank sends or receives more than twice the vector in an all-reduce.
///
/// The nodes of a tree are the positions 1 to n in order. The lowest bit of a position is its
/// height: odd positions are leaves. The second tree mirrors the positions when n is even and
/// shifts them by one when n is odd, which turns each position with children into an odd one
/// (Sanders, Speck, Träff: Two-tree algorithms for full bandwidth broadcast, reduction and scan).
final class DoubleTree {
    private DoubleTree() {}

    static Pipeline of(Shape shape) {
        boolean rooted = shape.operation() != Collective.ALL_REDUCE;
        Tree[] trees = new Tree[2];
        for (int i = 0; i < 2; i++) {
            trees[i] =
                    rooted
                            ? rooted(i, shape.rank(), shape.size(), shape.root())
                            : tree(i, shape.rank(), shape.size());
        }
        return new Pipeline(shape, trees);
    }

    /// The neighbours of a rank in the tree 0 or 1 over all ranks.
    static Tree tree(int which, int rank, int size) {
        int position = position(which, rank, size);
        int bit = Integer.lowestOneBit(position);
        int parent = (position & 2 * bit) != 0 ? position - bit : position + bit;
        if (parent > size) {
            parent = position - bit;
        }
        int left = bit == 1 ? 0 : position - bit / 2;
        int reach = Math.min(bit / 2, size - position);
        int right = reach == 0 ? 0 : position + Integer.highestOneBit(reach);
        return new Tree(
                rank(which, parent, size), rank(which, left, size), rank(which, right, size));
    }

    /// The same with one rank above both trees, which has no more than one child in each.
    static Tree rooted(int which, int rank, int size, int root) {
        int others = size - 1;
        if (rank == root) {
            int top = rank(which, Integer.highestOneBit(others), others);
            return new Tree(-1, other(top, size, root), -1);
        }
        Tree tree = tree(which, Math.floorMod(rank - root - 1, size), others);
        int parent = tree.parent() < 0 ? root : other(tree.parent(), size, root);
        return new Tree(parent, other(tree.left(), size, root), other(tree.right(), size, root));
    }

    private static int other(int index, int size, int root) {
        return index < 0 ? -1 : (root + 1 + index) % size;
    }

    private static int position(int which, int rank, int size) {
        if (which == 0) {
            return rank + 1;
        }
        if (size % 2 == 0) {
            return size - rank;
        }
        return rank == 0 ? size : rank;
    }

    private static int rank(int which, int position, int size) {
        if (position == 0) {
            return -1;
        }
        if (which == 0) {
            return position - 1;
        }
        return size % 2 == 0 ? size - position : position % size;
    }
}
