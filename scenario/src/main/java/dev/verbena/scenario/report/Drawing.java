package dev.verbena.scenario.report;

import dev.verbena.fabric.PortCounts;
import dev.verbena.scenario.run.Outcome;
import dev.verbena.scenario.run.Ports;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Where the nodes of a topology are drawn: hosts at the bottom, each switch as many rows above as
/// it is cables away from a host, and below the middle of what it leads to.
final class Drawing {
    /// A node, with coordinates from 0 to 1, from the left and from the bottom.
    record Spot(String name, int tier, double x, double y) {}

    private final Map<String, List<String>> neighbours = new LinkedHashMap<>();
    private final Map<String, Integer> tiers = new HashMap<>();
    private final Map<String, Double> places = new HashMap<>();

    Drawing(Outcome outcome) {
        Ports ports = new Ports(outcome);
        for (PortCounts port : outcome.ports()) {
            neighbours.computeIfAbsent(port.node(), _ -> new ArrayList<>()).add(port.neighbour());
        }
        ArrayDeque<String> next = new ArrayDeque<>();
        for (String node : neighbours.keySet()) {
            if (ports.isHost(node)) {
                tiers.put(node, 0);
                next.add(node);
            }
        }
        while (!next.isEmpty()) {
            String node = next.removeFirst();
            for (String other : neighbours.getOrDefault(node, List.of())) {
                if (tiers.putIfAbsent(other, tiers.getOrDefault(node, 0) + 1) == null) {
                    next.add(other);
                }
            }
        }
    }

    List<Spot> spots() {
        int top = tiers.values().stream().mapToInt(it -> it).max().orElse(0);
        List<Spot> all = new ArrayList<>();
        // Leaves first, by their numbers; hosts stand below their leaf.
        for (int tier : order(top)) {
            List<String> row =
                    neighbours.keySet().stream()
                            .filter(it -> tiers.getOrDefault(it, 0) == tier)
                            .sorted(
                                    Comparator.<String>comparingDouble(it -> wanted(it, tier))
                                            .thenComparingLong(Drawing::number))
                            .toList();
            for (int i = 0; i < row.size(); i++) {
                double x = (i + 0.5) / row.size();
                places.put(row.get(i), x);
                double y = top == 0 ? 0 : (double) tier / top;
                all.add(new Spot(row.get(i), tier, x, y));
            }
        }
        return all;
    }

    private static List<Integer> order(int top) {
        List<Integer> order = new ArrayList<>();
        for (int tier = 1; tier <= top; tier++) {
            order.add(tier);
        }
        order.add(0);
        return order;
    }

    /// The middle of the neighbours in rows that have their places; for the first row none has.
    private double wanted(String node, int tier) {
        return neighbours.getOrDefault(node, List.of()).stream()
                .filter(it -> places.containsKey(it) && tiers.getOrDefault(it, 0) != tier)
                .mapToDouble(it -> places.getOrDefault(it, 0.0))
                .average()
                .orElse(0);
    }

    /// The numbers in a name, so that `leaf 10` comes after `leaf 9`.
    private static long number(String name) {
        long number = 0;
        for (String part : name.split("\\D+", -1)) {
            if (!part.isEmpty() && part.length() < 7) {
                number = number * 1_000_000 + Long.parseLong(part);
            }
        }
        return number;
    }
}
