package dev.verbena.subnet;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Trees in a fabric: the root is a switch from which the farthest member is nearest, and every
/// branch is a shortest way to it. Of equal switches and links the number of the group chooses, so
/// that groups use different ones.
final class TreeShapes {
    /// Distances from more switches than these would not find a root that is much better.
    private static final int SAMPLES_MAX = 64;

    private final SubnetGraph subnet;
    private final SwitchGraph graph;
    private final Map<Integer, Integer> numbers = new HashMap<>();

    TreeShapes(SubnetGraph subnet, SwitchGraph graph) {
        this.subnet = subnet;
        this.graph = graph;
        for (int index = 0; index < graph.count(); index++) {
            numbers.put(graph.vertex(index), index);
        }
    }

    /// Joins switches.
    ///
    /// @param links gets the slots of links, both ends of each
    /// @return whether all are joined
    boolean join(BitSet switches, int group, List<Integer> links) {
        int[] members = switches.stream().map(numbers::get).sorted().toArray();
        if (members.length < 2) {
            return true;
        }
        int root = root(members, group);
        int[] distance = Preparation.distances(graph, root);
        BitSet joined = new BitSet();
        joined.set(root);
        boolean isWhole = true;
        for (int member : members) {
            if (distance[member] == Integer.MAX_VALUE) {
                isWhole = false;
                continue;
            }
            for (int at = member; !joined.get(at); ) {
                joined.set(at);
                int link = towards(distance, at, group);
                int slot = subnet.slot(graph.vertex(at), graph.port(link));
                links.add(slot);
                links.add(subnet.peer(slot));
                at = graph.to(link);
            }
        }
        return isWhole;
    }

    private int root(int[] members, int group) {
        int[] farthest = new int[graph.count()];
        long[] total = new long[graph.count()];
        int samples = Math.min(SAMPLES_MAX, members.length);
        for (int i = 0; i < samples; i++) {
            int member = members[(int) ((long) i * members.length / samples)];
            int[] distance = Preparation.distances(graph, member);
            for (int index = 0; index < distance.length; index++) {
                farthest[index] = Math.max(farthest[index], distance[index]);
                total[index] += distance[index];
            }
        }
        int least = Arrays.stream(farthest).min().orElse(0);
        if (least == Integer.MAX_VALUE) {
            // Members are in parts without a link between them: the first one's part has a tree.
            return members[0];
        }
        long leastTotal = Long.MAX_VALUE;
        int count = 0;
        int[] best = new int[graph.count()];
        for (int index = 0; index < farthest.length; index++) {
            if (farthest[index] == least && total[index] <= leastTotal) {
                count = total[index] < leastTotal ? 0 : count;
                leastTotal = total[index];
                best[count++] = index;
            }
        }
        return best[group % count];
    }

    /// A link to a switch that is nearer to the root.
    private int towards(int[] distance, int at, int group) {
        int count = 0;
        for (int link = graph.firstLink(at); link < graph.endLink(at); link++) {
            count += distance[graph.to(link)] == distance[at] - 1 ? 1 : 0;
        }
        int left = group % count;
        for (int link = graph.firstLink(at); link < graph.endLink(at); link++) {
            if (distance[graph.to(link)] == distance[at] - 1 && left-- == 0) {
                return link;
            }
        }
        throw new AssertionError("a switch that is nearer");
    }
}
