package dev.verbena.fabric;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A torus of one to four dimensions, with a host at each switch.
///
/// ```text
///   port 0: the host; 1 + 2 d: the next switch of dimension d; 2 + 2 d: the one before
/// ```
///
/// Routes go in the order of dimensions, each the shorter way round. Within a ring a packet changes
/// to the other lane of its class where it goes past the end (the dateline), and a new dimension
/// begins in the first lane: so no circle of waiting closes.
public record Torus(List<Integer> sizes) {
    private static final int DIMENSIONS_MAX = 4;
    private static final int SWITCHES_MAX = 4096;

    public Torus {
        sizes = List.copyOf(sizes);
        long switches = sizes.stream().mapToLong(it -> it).reduce(1, (a, b) -> a * Math.max(1, b));
        if (sizes.isEmpty()
                || sizes.size() > DIMENSIONS_MAX
                || sizes.stream().anyMatch(it -> it < 2 || it > SWITCHES_MAX)
                || switches > SWITCHES_MAX) {
            throw new IllegalArgumentException(
                    "a torus of %s: use 1 to 4 dimensions of 2 or more, at most %,d switches"
                            .formatted(name(sizes), SWITCHES_MAX));
        }
    }

    private static String name(List<Integer> sizes) {
        return sizes.stream().map(String::valueOf).collect(Collectors.joining("x"));
    }

    private int count() {
        return sizes.stream().reduce(1, (a, b) -> a * b);
    }

    private int[] place(int at) {
        int[] place = new int[sizes.size()];
        int rest = at;
        for (int d = place.length - 1; d >= 0; d--) {
            place[d] = rest % sizes.get(d);
            rest /= sizes.get(d);
        }
        return place;
    }

    private int at(int[] place) {
        int at = 0;
        for (int d = 0; d < place.length; d++) {
            at = at * sizes.get(d) + place[d];
        }
        return at;
    }

    private static int port(int dimension, boolean isNext) {
        return 1 + 2 * dimension + (isNext ? 0 : 1);
    }

    public Topology topology() {
        int count = count();
        Topology made = new Topology("torus " + name(sizes), count);
        for (int at = 0; at < count; at++) {
            int[] place = place(at);
            String called =
                    Arrays.stream(place).mapToObj(String::valueOf).collect(Collectors.joining("."));
            made.addSwitch(
                    new Topology.SwitchPlan(
                            "switch " + called, 1 + 2 * sizes.size(), at, table(place)));
        }
        for (int at = 0; at < count; at++) {
            made.addHost(at, count + at, 0);
        }
        for (int at = 0; at < count; at++) {
            for (int d = 0; d < sizes.size(); d++) {
                int[] next = place(at);
                boolean isLast = next[d] + 1 == sizes.get(d);
                // A ring of two has one cable.
                if (!isLast || sizes.get(d) > 2) {
                    next[d] = (next[d] + 1) % sizes.get(d);
                    made.addCable(count + at, port(d, true), count + at(next), port(d, false));
                }
            }
        }
        made.lanes((node, in, out, lane) -> lane(place(node - count), in, out, lane));
        return made;
    }

    private RoutingTable table(int[] here) {
        short[] groups = new short[count()];
        for (int leaf = 0; leaf < groups.length; leaf++) {
            groups[leaf] = (short) toward(here, place(leaf));
        }
        short[][] ports =
                IntStream.range(0, 1 + 2 * sizes.size())
                        .mapToObj(it -> new short[] {(short) it})
                        .toArray(short[][]::new);
        return new RoutingTable(groups, ports);
    }

    /// The port of the first dimension in which two switches differ.
    private int toward(int[] here, int[] there) {
        for (int d = 0; d < here.length; d++) {
            int size = sizes.get(d);
            int ahead = Math.floorMod(there[d] - here[d], size);
            if (ahead != 0) {
                // Of two ways of one length, switches at even places take the one ahead.
                boolean isNext = 2 * ahead < size || (2 * ahead == size && here[d] % 2 == 0);
                return port(d, size == 2 ? here[d] == 0 : isNext);
            }
        }
        return 0;
    }

    private int lane(int[] here, int in, int out, int lane) {
        if (out == 0) {
            return LaneRule.base(lane);
        }
        int dimension = (out - 1) / 2;
        boolean isNext = out == port(dimension, true);
        boolean isSame = in != 0 && (in - 1) / 2 == dimension;
        boolean crosses = here[dimension] == (isNext ? sizes.get(dimension) - 1 : 0);
        if (crosses) {
            return LaneRule.raised(lane);
        }
        return isSame ? lane : LaneRule.base(lane);
    }
}
