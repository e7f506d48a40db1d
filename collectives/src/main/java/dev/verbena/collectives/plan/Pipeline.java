package dev.verbena.collectives.plan;

import java.util.Arrays;

/// Pieces that flow through trees: towards the root in a reduce, away from it in a broadcast, both
/// in an all-reduce. Each tree carries its part of the vector.
///
/// An all-reduce has two lanes for each tree, one up and one down, so that both directions run at
/// once; the others have one.
final class Pipeline extends CopyingPlan {
    /// Pieces of scratch at an inner rank of a reduce.
    private static final int WINDOW = 8;

    /// The neighbours of a rank in a tree; -1 where there is none.
    record Tree(int parent, int left, int right) {
        int children() {
            return (left < 0 ? 0 : 1) + (right < 0 ? 0 : 1);
        }

        int child(int index) {
            return index == 0 && left >= 0 ? left : right;
        }
    }

    private final Collective operation;
    private final Tree[] trees;
    private final long count;
    private final long piece;

    Pipeline(Shape shape, Tree... trees) {
        super(shape.rank());
        operation = shape.operation();
        this.trees = trees;
        count = shape.count();
        piece = shape.pieceElements();
        if (operation == Collective.BROADCAST && trees[0].parent() < 0) {
            copies(Place.INPUT, 0, Place.OUTPUT, 0, count);
        }
        Blocks.requireCountable(Math.ceilDiv(count, piece), piece);
    }

    /// A chain of all ranks from the root on, in lanes.
    static Pipeline chain(Shape shape) {
        int size = shape.size();
        int position = Math.floorMod(shape.rank() - shape.root(), size);
        int before = Math.floorMod(shape.rank() - 1, size);
        int next = (shape.rank() + 1) % size;
        Tree tree = new Tree(position == 0 ? -1 : before, position == size - 1 ? -1 : next, -1);
        long wanted = Math.max(1, Math.ceilDiv(shape.count(), shape.pieceElements()));
        Tree[] lanes = new Tree[(int) Math.min(shape.lanes(), wanted)];
        Arrays.fill(lanes, tree);
        return new Pipeline(shape, lanes);
    }

    @Override
    public int lanes() {
        return twoWay() ? 2 * trees.length : trees.length;
    }

    @Override
    public int sends(int lane) {
        Tree tree = trees[tree(lane)];
        int flows = up(lane) ? (tree.parent() < 0 ? 0 : 1) : tree.children();
        return flows * pieces(tree(lane));
    }

    @Override
    public int receives(int lane) {
        Tree tree = trees[tree(lane)];
        int flows = up(lane) ? tree.children() : (tree.parent() < 0 ? 0 : 1);
        return flows * pieces(tree(lane));
    }

    @Override
    public long scratch() {
        if (operation != Collective.REDUCE || trees[0].parent() < 0) {
            return 0;
        }
        return trees.length * window();
    }

    @Override
    public void send(int lane, int index, Step into) {
        Tree tree = trees[tree(lane)];
        int children = tree.children();
        if (up(lane)) {
            set(lane, index, children == 0 ? Place.INPUT : sums(tree), into);
            into.peer = tree.parent();
            into.afterReceives(lane, (index + 1) * children);
            return;
        }
        int which = index / children;
        boolean source = tree.parent() < 0 && operation == Collective.BROADCAST;
        set(lane, which, source ? Place.INPUT : Place.OUTPUT, into);
        into.peer = tree.child(index % children);
        if (tree.parent() >= 0) {
            into.afterReceives(lane, which + 1);
        } else if (twoWay()) {
            into.afterReceives(lane - 1, (which + 1) * children);
        }
    }

    @Override
    public void receive(int lane, int index, Step into) {
        Tree tree = trees[tree(lane)];
        if (!up(lane)) {
            set(lane, index, Place.OUTPUT, into);
            into.peer = tree.parent();
            if (twoWay()) {
                into.afterSends(lane - 1, index + 1);
            }
            return;
        }
        int children = tree.children();
        int which = index / children;
        int child = index % children;
        set(lane, which, sums(tree), into);
        into.peer = tree.child(child);
        if (child > 0) {
            into.with(into.place, into.offset);
        } else {
            into.with(Place.INPUT, start(tree(lane), which));
        }
        if (into.place == Place.SCRATCH && which >= WINDOW) {
            into.afterSends(lane, which - WINDOW + 1);
        }
    }

    private boolean twoWay() {
        return operation == Collective.ALL_REDUCE;
    }

    private int tree(int lane) {
        return twoWay() ? lane / 2 : lane;
    }

    private boolean up(int lane) {
        return twoWay() ? lane % 2 == 0 : operation == Collective.REDUCE;
    }

    /// Where sums arise: only the root of a reduce has an output.
    private Place sums(Tree tree) {
        return twoWay() || tree.parent() < 0 ? Place.OUTPUT : Place.SCRATCH;
    }

    private void set(int lane, int which, Place place, Step into) {
        int tree = tree(lane);
        long elements = Blocks.part(part(tree), pieces(tree), which);
        long offset = start(tree, which);
        if (place == Place.SCRATCH) {
            offset = tree * window() + which % WINDOW * (window() / WINDOW);
        }
        into.set(0, elements, place, offset);
    }

    private long start(int tree, int which) {
        long inTree = Blocks.partStart(part(tree), pieces(tree), which);
        return Blocks.partStart(count, trees.length, tree) + inTree;
    }

    private long part(int tree) {
        return Blocks.part(count, trees.length, tree);
    }

    private int pieces(int tree) {
        return Blocks.pieces(part(tree), piece);
    }

    private long window() {
        return WINDOW * Math.min(piece, part(0));
    }
}
