package dev.verbena.subnet;

import java.util.Arrays;
import java.util.BitSet;

/// The virtual lane of each pair of switches, chosen so that in no lane packets wait for each other
/// in a circle.
///
/// A packet that holds a link and wants the next one makes the first depend on the second. A pair
/// gets the first lane in which the links of its two routes, there and back, close no circle with
/// what is in the lane already. Pairs that are far from each other come first: they have the fewest
/// choices. Parallel cables count as one link.
final class Lanes {
    private final SwitchGraph graph;
    private final Routes routes;

    /// By link, where the bits of its dependencies begin: one for each link of the switch behind.
    private final int[] firstBit;

    private final Lane[] lanes;

    /// By pair of switches, the one with the higher number first.
    private final byte[][] chosen;

    private int used = 1;

    // Of the pair at hand: its links, there and then back.
    private int[] path = new int[64];
    private int size;

    private Lanes(SwitchGraph graph, Routes routes, int lanesMax) {
        this.graph = graph;
        this.routes = routes;
        firstBit = new int[graph.links() + 1];
        for (int link = 0; link < graph.links(); link++) {
            int to = graph.to(link);
            firstBit[link + 1] = firstBit[link] + graph.endLink(to) - graph.firstLink(to);
        }
        lanes = new Lane[lanesMax];
        Arrays.setAll(lanes, _ -> new Lane());
        chosen = new byte[graph.count()][];
        Arrays.setAll(chosen, index -> new byte[index]);
    }

    /// Chooses the lanes of all pairs.
    static Lanes of(SwitchGraph graph, Routes routes, int lanesMax) {
        Lanes lanes = new Lanes(graph, routes, lanesMax);
        lanes.choose();
        return lanes;
    }

    private void choose() {
        int longest = 0;
        for (int index = 0; index < graph.count(); index++) {
            for (int other = 0; other < index; other++) {
                longest = Math.max(longest, hops(index, other));
            }
        }
        // Routes of one link depend on nothing.
        for (int hops = longest; hops > 1; hops--) {
            for (int index = 0; index < graph.count() && used <= lanes.length; index++) {
                choose(index, hops);
            }
        }
    }

    private void choose(int index, int hops) {
        for (int other = 0; other < index; other++) {
            if (hops(index, other) == hops) {
                int lane = place(index, other);
                used = Math.max(used, lane + 1);
                chosen[index][other] = (byte) lane;
                if (lane == lanes.length) {
                    return;
                }
            }
        }
    }

    /// Links on the way there, which are as many as on the way back; 0 without one.
    private int hops(int index, int other) {
        short value = routes.value(other, index);
        return value == Routes.UNREACHABLE ? 0 : Routes.hops(value);
    }

    /// The first lane that takes a pair; as many as there are if none does.
    private int place(int index, int other) {
        size = 0;
        walk(index, other);
        int there = size;
        walk(other, index);
        int lane = 0;
        while (lane < lanes.length && !lanes[lane].take(there)) {
            lane++;
        }
        return lane;
    }

    private void walk(int source, int destination) {
        for (int at = source; at != destination; ) {
            int link = routes.first(destination, at);
            if (size == path.length) {
                path = Arrays.copyOf(path, 2 * size);
            }
            path[size++] = link;
            at = graph.to(link);
        }
    }

    /// Lanes in use; one more than there are if those did not do.
    int used() {
        return used;
    }

    /// The lane of packets between two switches, both ways.
    int lane(int index, int other) {
        return index == other ? 0 : chosen[Math.max(index, other)][Math.min(index, other)];
    }

    /// The dependencies of one lane.
    private final class Lane {
        private final BitSet dependencies = new BitSet();

        /// Those that would close a circle, and will for ever: none is taken away.
        private final BitSet refused = new BitSet();

        private final int[] added = new int[2 * (Routes.HOPS_MAX + 1)];
        private int addedSize;

        /// By link, the last search that came by.
        private final int[] seen = new int[graph.links()];

        private int search;
        private final int[] stack = new int[graph.links()];

        /// Takes the pair at hand, or nothing of it.
        boolean take(int there) {
            addedSize = 0;
            for (int i = 1; i < size; i++) {
                if (i != there && !add(path[i - 1], path[i])) {
                    for (int j = 0; j < addedSize; j++) {
                        dependencies.clear(added[j]);
                    }
                    return false;
                }
            }
            return true;
        }

        private boolean add(int link, int next) {
            int bit = firstBit[link] + next - graph.firstLink(graph.to(link));
            if (dependencies.get(bit)) {
                return true;
            }
            if (refused.get(bit) || reaches(next, link)) {
                // With what is taken back another time it may close none.
                refused.set(bit, refused.get(bit) || addedSize == 0);
                return false;
            }
            dependencies.set(bit);
            added[addedSize++] = bit;
            return true;
        }

        /// Whether a link depends on another one, by way of others.
        private boolean reaches(int start, int wanted) {
            search++;
            int waiting = 0;
            stack[waiting++] = start;
            seen[start] = search;
            while (waiting > 0) {
                int link = stack[--waiting];
                if (link == wanted) {
                    return true;
                }
                int first = graph.firstLink(graph.to(link));
                int end = firstBit[link + 1];
                for (int bit = dependencies.nextSetBit(firstBit[link]);
                        bit >= 0 && bit < end;
                        bit = dependencies.nextSetBit(bit + 1)) {
                    int next = first + bit - firstBit[link];
                    if (seen[next] != search) {
                        seen[next] = search;
                        stack[waiting++] = next;
                    }
                }
            }
            return false;
        }
    }
}
