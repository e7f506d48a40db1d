package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Who sends to whom, as tests of fabrics usually have it.
public final class Patterns {
    private Patterns() {}

    /// Everybody sends to one and receives from one, by chance, nobody to himself.
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

    /// Everybody sends to who is so many further on.
    public static List<Flow> shift(int hosts, int by, long bytes) {
        List<Flow> flows = new ArrayList<>(hosts);
        for (int i = 0; i < hosts; i++) {
            flows.add(Flow.of(i, (i + by) % hosts, bytes));
        }
        return flows;
    }

    /// So many send to host 0 at a time, from all over the fabric.
    public static List<Flow> incast(int hosts, int senders, long bytes) {
        if (senders < 1 || senders >= hosts) {
            throw new IllegalArgumentException(
                    "%d senders of %d hosts: use 1 to %d".formatted(senders, hosts, hosts - 1));
        }
        List<Flow> flows = new ArrayList<>(senders);
        for (int i = 0; i < senders; i++) {
            int from = (int) ((i + 1L) * (hosts - 1) / senders);
            flows.add(Flow.of(from, 0, bytes));
        }
        return flows;
    }

    /// Everybody sends to everybody else, beginning with his neighbour.
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
