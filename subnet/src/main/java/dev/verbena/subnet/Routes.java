package dev.verbena.subnet;

import java.util.Arrays;

/// The routes of one fabric by one engine: for each destination switch and each switch how far it
/// is, and by which kind of route.
///
/// ```text
///   DOWN  only down from here             to a lower neighbour that is DOWN
///   UP    up first                        to a higher neighbour that is UP or DOWN
///   TURN  no route up and down exists     to any neighbour that is nearer
/// ```
///
/// Each hop leads to a neighbour that is nearer by one, and a route that is DOWN stays DOWN: so no
/// route has a loop, and none that starts UP or DOWN turns from down to up. Packets between hosts
/// never take a TURN, because engines refuse fabrics where they had to. Without the restriction all
/// routes are DOWN, whichever links lead up.
final class Routes {
    static final int DOWN = 0;
    static final int UP = 1;
    static final int TURN = 2;
    static final short UNREACHABLE = Short.MAX_VALUE;

    private static final int KIND = 12;
    static final int HOPS_MAX = (1 << KIND) - 1;

    private final SwitchGraph graph;

    /// By link: where it leads, and whether up. The loops over links are most of the work.
    private final int[] to;

    private final boolean[] up;

    /// The higher neighbours of all switches, one after the other, and where those of each begin.
    private final int[] above;

    private final int[] firstAbove;

    private final boolean isRestricted;
    private final int[] fromTheTop;

    /// By destination and switch: a kind of route and its hops.
    private final short[][] values;

    Routes(SwitchGraph graph, Preparation.Accepted prepared) {
        this(graph, prepared, new short[graph.count()][graph.count()]);
    }

    private Routes(SwitchGraph graph, Preparation.Accepted prepared, short[][] values) {
        this.graph = graph;
        this.values = values;
        to = graph.targets();
        up = prepared.tiers().up();
        firstAbove = new int[graph.count() + 1];
        above = new int[to.length];
        int size = 0;
        for (int index = 0; index < graph.count(); index++) {
            for (int link = graph.firstLink(index); link < graph.endLink(index); link++) {
                if (up[link]) {
                    above[size++] = to[link];
                }
            }
            firstAbove[index + 1] = size;
        }
        isRestricted = prepared.isRestricted();
        fromTheTop = prepared.tiers().fromTheTop();
    }

    /// The same distances for a fabric with other links between the same switches. They are right
    /// for destinations that are not [#isStale].
    Routes with(SwitchGraph next, Preparation.Accepted prepared) {
        return new Routes(next, prepared, values);
    }

    static int kind(short value) {
        return value >> KIND;
    }

    static int hops(short value) {
        return value & HOPS_MAX;
    }

    short value(int destination, int index) {
        return values[destination][index];
    }

    /// Computes the distances of all switches to a destination.
    void compute(int destination) {
        short[] row = values[destination];
        Arrays.fill(row, UNREACHABLE);
        int[] queue = new int[graph.count()];
        descend(destination, row, queue);
        if (isRestricted) {
            for (int index : fromTheTop) {
                if (row[index] == UNREACHABLE) {
                    row[index] = climb(index, row);
                }
            }
            turn(row, queue);
        }
    }

    /// Finds the switches from which all of the route goes down.
    private void descend(int destination, short[] row, int[] queue) {
        int size = 1;
        queue[0] = destination;
        row[destination] = 0;
        for (int i = 0; i < size; i++) {
            int at = queue[i];
            for (int link = graph.firstLink(at); link < graph.endLink(at); link++) {
                int next = to[link];
                boolean isDown = !isRestricted || up[link];
                if (isDown && row[next] == UNREACHABLE && row[at] < HOPS_MAX) {
                    row[next] = (short) (row[at] + 1);
                    queue[size++] = next;
                }
            }
        }
    }

    private short climb(int index, short[] row) {
        int least = HOPS_MAX;
        int end = firstAbove[index + 1];
        for (int i = firstAbove[index]; i < end; i++) {
            short value = row[above[i]];
            if (hops(value) < least && kind(value) < TURN) {
                least = hops(value);
            }
        }
        return least == HOPS_MAX ? UNREACHABLE : (short) (UP << KIND | least + 1);
    }

    /// Gives switches that have no other route the shortest one to a switch that has.
    private void turn(short[] row, int[] queue) {
        int left = 0;
        int most = 0;
        for (short value : row) {
            left += value == UNREACHABLE ? 1 : 0;
            most = value == UNREACHABLE ? most : Math.max(most, hops(value));
        }
        // Switches at each distance reach those that are still without a route.
        for (int hops = 0; left > 0 && hops <= most && hops < HOPS_MAX; hops++) {
            int found = 0;
            for (int index = 0; index < row.length; index++) {
                if (row[index] == UNREACHABLE && touches(index, row, hops)) {
                    queue[found++] = index;
                }
            }
            for (int i = 0; i < found; i++) {
                row[queue[i]] = (short) (TURN << KIND | hops + 1);
            }
            left -= found;
            most = found > 0 ? Math.max(most, hops + 1) : most;
        }
    }

    private boolean touches(int index, short[] row, int hops) {
        int end = graph.endLink(index);
        for (int link = graph.firstLink(index); link < end; link++) {
            if (hops(row[to[link]]) == hops) {
                return true;
            }
        }
        return false;
    }

    /// Whether the distance of a switch does not follow from those of its neighbours any more.
    /// Distances follow from each other, so if this is so at no switch whose links have changed, it
    /// is so at none.
    boolean isStale(int destination, int index) {
        short[] row = values[destination];
        return index != destination && row[index] != expected(index, row);
    }

    private short expected(int index, short[] row) {
        int down = HOPS_MAX;
        int turn = HOPS_MAX;
        for (int link = graph.firstLink(index); link < graph.endLink(index); link++) {
            short next = row[to[link]];
            if (next == UNREACHABLE) {
                continue;
            }
            boolean isDown = !isRestricted || !up[link];
            down = isDown && kind(next) == DOWN ? Math.min(down, hops(next)) : down;
            turn = Math.min(turn, hops(next));
        }
        if (down < HOPS_MAX) {
            return (short) (down + 1);
        }
        if (!isRestricted) {
            return UNREACHABLE;
        }
        short up = climb(index, row);
        if (up != UNREACHABLE) {
            return up;
        }
        return turn == HOPS_MAX ? UNREACHABLE : (short) (TURN << KIND | turn + 1);
    }

    /// Whether routes from a switch to a destination go up first.
    boolean isUp(int destination, int index) {
        short own = values[destination][index];
        return own != UNREACHABLE && kind(own) == UP;
    }

    /// Finds the links of a switch that begin a route to a destination.
    ///
    /// @return how many there are
    int choices(int destination, int index, int[] links) {
        short[] row = values[destination];
        short own = row[index];
        int nearer = hops(own) - 1;
        int end = graph.endLink(index);
        int count = 0;
        for (int link = graph.firstLink(index); link < end; link++) {
            short next = row[to[link]];
            // Few links are left after the first comparison.
            if ((next & HOPS_MAX) == nearer && leads(own, next, link)) {
                links[count++] = link;
            }
        }
        return count;
    }

    /// The first link of a switch that begins a route to a destination, which there is.
    int first(int destination, int index) {
        int link = graph.firstLink(index);
        while (!leads(destination, index, link)) {
            link++;
        }
        return link;
    }

    /// Narrows the links of a switch to those that lead where the first of them leads.
    ///
    /// @return how many there are
    int parallel(int[] links, int count) {
        int found = 0;
        for (int i = 0; i < count; i++) {
            if (to[links[i]] == to[links[0]]) {
                links[found++] = links[i];
            }
        }
        return found;
    }

    /// Whether a link of a switch begins a route to a destination.
    boolean leads(int destination, int index, int link) {
        short[] row = values[destination];
        return leads(row[index], row[to[link]], link);
    }

    private boolean leads(short own, short next, int link) {
        if (hops(next) != hops(own) - 1 || own == UNREACHABLE || next == UNREACHABLE) {
            return false;
        }
        return switch (kind(own)) {
            case DOWN -> kind(next) == DOWN && (!isRestricted || !up[link]);
            case UP -> kind(next) != TURN && up[link];
            default -> true;
        };
    }
}
