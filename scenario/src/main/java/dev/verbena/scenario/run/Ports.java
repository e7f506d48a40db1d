package dev.verbena.scenario.run;

import dev.verbena.fabric.PortCounts;
import dev.verbena.fabric.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// The ports of a run: which was the busiest, and which was held back the longest.
public final class Ports {
    /// Uplinks of one switch that are not equally busy.
    ///
    /// @param port the busiest of them
    /// @param factor its load by the mean of them
    /// @param idle how many of them had less than a tenth of its load
    public record Imbalance(String node, int port, double factor, int of, int idle) {}

    private static final double USED = 0.02;
    private static final double IDLE = 0.1;

    private final Outcome outcome;
    private final List<PortCounts> all;
    private final Topology topology;
    private final Set<String> hosts = new HashSet<>();

    /// Uplinks of switches with hosts, by switch.
    private final Map<String, List<Integer>> uplinks = new TreeMap<>();

    public Ports(Outcome outcome) {
        this.outcome = outcome;
        all = outcome.ports();
        topology = outcome.scenario().network().topology();
        for (int host = 0; host < topology.hosts(); host++) {
            hosts.add(topology.hostName(host));
        }
        Set<String> leaves = new HashSet<>();
        for (PortCounts port : all) {
            if (hosts.contains(port.neighbour())) {
                leaves.add(port.node());
            }
        }
        for (int port = 0; port < all.size(); port++) {
            if (isUplink(port) && leaves.contains(get(port).node())) {
                uplinks.computeIfAbsent(get(port).node(), _ -> new ArrayList<>()).add(port);
            }
        }
    }

    PortCounts get(int port) {
        return all.get(port);
    }

    /// Where a port is, in words.
    public String text(int port) {
        PortCounts of = all.get(port);
        return "%s port %d to %s".formatted(of.node(), of.port(), of.neighbour());
    }

    /// A cable by its two ports.
    public String cable(int port) {
        PortCounts one = all.get(port & ~1);
        PortCounts other = all.get(port | 1);
        return "%s port %d to %s port %d"
                .formatted(one.node(), one.port(), other.node(), other.port());
    }

    /// Whether a node with this name is a host.
    public boolean isHost(String node) {
        return hosts.contains(node);
    }

    boolean isUplink(int port) {
        return topology.isUplink(port / 2);
    }

    /// Share of the run in which a port was sending.
    public double busy(int port) {
        return outcome.moments().map(it -> it.busy(port)).orElse(0.0);
    }

    /// Share of the run in which a port was paused, or without credit.
    public double held(int port) {
        return outcome.moments().map(it -> it.held(port)).orElse(0.0);
    }

    long errors(int port) {
        return outcome.moments().map(it -> it.errors(port)).orElse(0L);
    }

    /// The port that was sending for the longest.
    public Optional<Integer> busiest() {
        return first(Comparator.comparingDouble(this::busy));
    }

    /// The port that was paused, or without credit, for the longest.
    public Optional<Integer> longestHeld() {
        return first(Comparator.comparingDouble(this::held)).filter(it -> held(it) > 0);
    }

    /// The port at which the most packets were lost or dropped.
    public Optional<Integer> mostErrors() {
        return first(Comparator.comparingLong(this::errors)).filter(it -> errors(it) > 0);
    }

    /// Of equals the one with the smallest number.
    private Optional<Integer> first(Comparator<Integer> by) {
        return IntStream.range(0, all.size())
                .boxed()
                .max(by.thenComparing(Comparator.<Integer>naturalOrder().reversed()));
    }

    /// The largest share of the run in which a port was paused, or without credit.
    double longestHeldShare(boolean isInfiniBand) {
        return outcome.scenario().network().isInfiniBand() == isInfiniBand
                ? longestHeld().map(this::held).orElse(0.0)
                : 0;
    }

    /// The switch with hosts whose uplinks differ the most in load.
    public Optional<Imbalance> imbalance() {
        Optional<Imbalance> worst = Optional.empty();
        double worstLoad = 0;
        for (Map.Entry<String, List<Integer>> each : uplinks.entrySet()) {
            List<Integer> ports = each.getValue();
            double mean = ports.stream().mapToDouble(this::busy).average().orElse(0);
            int top = ports.stream().max(Comparator.comparingDouble(this::busy)).orElseThrow();
            double load = busy(top) - mean;
            if (ports.size() > 1 && mean > USED && load > worstLoad) {
                worstLoad = load;
                int idle = (int) ports.stream().filter(it -> busy(it) < IDLE * busy(top)).count();
                worst =
                        Optional.of(
                                new Imbalance(
                                        each.getKey(), top, busy(top) / mean, ports.size(), idle));
            }
        }
        return worst;
    }

    /// Mean load of all uplinks of switches with hosts.
    public double meanUplink() {
        return uplinks.values().stream()
                .flatMap(List::stream)
                .mapToDouble(this::busy)
                .average()
                .orElse(0);
    }

    /// Mean load of what hosts send.
    double meanHost() {
        return mean(port -> hosts.contains(get(port).node()));
    }

    private double mean(IntPredicate which) {
        return IntStream.range(0, all.size())
                .filter(which)
                .mapToDouble(this::busy)
                .average()
                .orElse(0);
    }
}
