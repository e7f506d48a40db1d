package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// The usual traffic patterns of fabric tests.
public final class Patterns {
    private Patterns() {}

    /// Every host sends to one host and receives from one, chosen at random; none sends to itself.
    public static List<Flow> permutation(int hosts, long bytes, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] to = new int[hosts];
        for (int i = 0; i < hosts; i++) {
            to[i] = i;
        }
        // Sattolo's shuffle gives one cycle through all.
        for (int i = hosts - 1; i > 0; i--) {
            int j = random.nextInt(i);
            int kept = to[i];
            to[i] = to[j];
            to[j] = kept;
        }
        List<Flow> flows = new ArrayList<>(hosts);
        for (int i = 0; i < hosts; i++) {
            flows.add(Flow.of(i, to[i], bytes));
        }
        return flows;
    }

    /// Every host sends to the host that is `by` numbers further on.
    public static List<Flow> shift(int hosts, int by, long bytes) {
        List<Flow> flows = new ArrayList<>(hosts);
        for (int i = 0; i < hosts; i++) {
            flows.add(Flow.of(i, (i + by) % hosts, bytes));
        }
        return flows;
    }

    /// A number of hosts, spread over the fabric, send to host 0 at the same time.
    public static List<Flow> incast(int hosts, int senders, long bytes) {
        return incast(hosts, senders, 0, bytes);
    }

    /// A number of hosts, spread over the fabric, send to one host at the same time.
    public static List<Flow> incast(int hosts, int senders, int to, long bytes) {
        if (senders < 1 || senders >= hosts) {
            throw new IllegalArgumentException(
                    "%d senders of %d hosts: use 1 to %d".formatted(senders, hosts, hosts - 1));
        }
        List<Flow> flows = new ArrayList<>(senders);
        for (int i = 0; i < senders; i++) {
            int from = (int) ((i + 1L) * (hosts - 1) / senders);
            flows.add(Flow.of((to + from) % hosts, to, bytes));
        }
        return flows;
    }

    /// The same flows, where every host starts a little later, by a time of its own up to
    /// `withinPs` that the seed chooses. Hosts that all start in the same instant send in step, and
    /// their order at a switch alone decides which of them loses packets, in every run the same.
    public static List<Flow> jittered(List<Flow> flows, long withinPs, long seed) {
        int hosts = flows.stream().mapToInt(Flow::source).max().orElse(-1) + 1;
        long[] startsPs =
                new SplittableRandom(seed).split().longs(hosts, 0, withinPs + 1).toArray();
        return flows.stream()
                .map(it -> it.startingAt(it.startPs() + startsPs[it.source()]))
                .toList();
    }

    /// Every host sends to every other host, beginning with the next one.
    public static List<Flow> allToAll(int hosts, long bytes) {
        List<Flow> flows = new ArrayList<>();
        for (int i = 0; i < hosts; i++) {
            for (int j = 1; j < hosts; j++) {
                flows.add(Flow.of(i, (i + j) % hosts, bytes));
            }
        }
        return flows;
    }
}
