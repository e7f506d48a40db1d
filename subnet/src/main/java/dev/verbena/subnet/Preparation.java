package dev.verbena.subnet;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/// What an engine says of a fabric before it computes routes.
sealed interface Preparation {
    /// Routes can be computed.
    ///
    /// @param isRestricted whether routes may not go up after they went down
    /// @param isLayered whether pairs of switches are put into lanes
    /// @param note how the tiers were found
    record Accepted(Tiers tiers, boolean isRestricted, boolean isLayered, String note)
            implements Preparation {
        Accepted(Tiers tiers, boolean isRestricted, String note) {
            this(tiers, isRestricted, false, note);
        }
    }

    /// The fabric is refused.
    record Refused(String reason) implements Preparation {}

    static Preparation of(RoutingEngine engine, SwitchGraph graph) {
        return switch (engine) {
            case MinHopEngine _ -> {
                Tiers tiers = new Tiers(graph, Tiers.fromHosts(graph), false);
                yield new Accepted(tiers, false, "shortest routes");
            }
            case LayeredEngine _ -> {
                Tiers tiers = new Tiers(graph, Tiers.fromHosts(graph), false);
                yield new Accepted(tiers, false, true, "shortest routes in lanes");
            }
            case UpDownEngine upDown -> upDown(graph, upDown.roots());
            case FatTreeEngine _ -> fatTree(graph);
        };
    }

    private static Preparation fatTree(SwitchGraph graph) {
        int[] tiers = Tiers.fromHosts(graph);
        for (int i = 0; i < graph.count(); i++) {
            for (int link = graph.firstLink(i); link < graph.endLink(i); link++) {
                if (Math.abs(tiers[i] - tiers[graph.to(link)]) != 1) {
                    return new Refused(
                            "port %d of %s leads to %s in the same tier"
                                    .formatted(
                                            graph.port(link),
                                            graph.name(i),
                                            graph.name(graph.to(link))));
                }
            }
        }
        Tiers found = new Tiers(graph, tiers, false);
        String gap = new Ancestors(graph, found).gap();
        return gap.isEmpty() ? new Accepted(found, true, "tiers from hosts") : new Refused(gap);
    }

    private static Preparation upDown(SwitchGraph graph, List<Long> roots) {
        if (!roots.isEmpty()) {
            int[] tiers = fromRoots(graph, rootIndexes(graph, roots));
            Tiers found = new Tiers(graph, tiers, true);
            String gap = new Ancestors(graph, found).gap();
            return gap.isEmpty()
                    ? new Accepted(found, true, roots.size() + " given roots")
                    : new Refused(gap);
        }
        Tiers found = new Tiers(graph, Tiers.fromHosts(graph), true);
        if (new Ancestors(graph, found).gap().isEmpty()) {
            return new Accepted(found, true, "tiers from hosts");
        }
        int middle = middle(graph);
        Tiers single = new Tiers(graph, fromRoots(graph, middle), true);
        String gap = new Ancestors(graph, single).gap();
        return gap.isEmpty()
                ? new Accepted(single, true, "root " + graph.name(middle))
                : new Refused(gap);
    }

    private static int[] rootIndexes(SwitchGraph graph, List<Long> roots) {
        int[] found = new int[graph.count()];
        int size = 0;
        for (int i = 0; i < graph.count(); i++) {
            if (roots.contains(graph.guid(i))) {
                found[size++] = i;
            }
        }
        return Arrays.copyOf(found, size);
    }

    /// The tier of each switch: the farther from a root, the lower.
    private static int[] fromRoots(SwitchGraph graph, int... roots) {
        int[] distance = distances(graph, roots);
        int most = Arrays.stream(distance).filter(it -> it != Integer.MAX_VALUE).max().orElse(0);
        int[] tiers = new int[distance.length];
        Arrays.setAll(tiers, i -> distance[i] == Integer.MAX_VALUE ? 0 : most - distance[i]);
        return tiers;
    }

    static int[] distances(SwitchGraph graph, int... from) {
        int[] distance = new int[graph.count()];
        Arrays.fill(distance, Integer.MAX_VALUE);
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        for (int start : from) {
            distance[start] = 0;
            queue.add(start);
        }
        while (!queue.isEmpty()) {
            int at = queue.removeFirst();
            for (int link = graph.firstLink(at); link < graph.endLink(at); link++) {
                int next = graph.to(link);
                if (distance[next] == Integer.MAX_VALUE) {
                    distance[next] = distance[at] + 1;
                    queue.add(next);
                }
            }
        }
        return distance;
    }

    /// The switch from which the farthest one is nearest; of those the one with the lowest GUID.
    private static int middle(SwitchGraph graph) {
        int best = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < graph.count(); i++) {
            if (graph.isPresent(i)) {
                int[] distance = distances(graph, i);
                int most =
                        Arrays.stream(distance)
                                .filter(it -> it != Integer.MAX_VALUE)
                                .max()
                                .orElse(0);
                if (most < least) {
                    least = most;
                    best = i;
                }
            }
        }
        return best;
    }
}
