package dev.verbena.fabric;

import java.util.Arrays;

/// Flowlets as in LetFlow: a connection keeps its port until it was silent for longer than the gap,
/// and then takes another one by chance.
///
/// The table has 512 entries, SAI's default; connections that share one keep each other's port. The
/// first port of an entry is the one that ECMP would take.
final class FlowletChooser extends RouteChooser {
    private static final int ENTRIES = 512;
    private static final int NEXT = 0x9E37_79B1;
    private static final long NEVER = Long.MIN_VALUE / 2;

    private final int seed;
    private final long gapPs;
    private final Clock clock;
    private final long[] lastPs = new long[ENTRIES];

    /// By entry, how many flowlets there have been.
    private final int[] turns = new int[ENTRIES];

    FlowletChooser(int seed, long gapPs, Clock clock) {
        this.seed = seed;
        this.gapPs = gapPs;
        this.clock = clock;
        Arrays.fill(lastPs, NEVER);
    }

    @Override
    boolean isSteady() {
        return false;
    }

    @Override
    int choose(long tag, short[] ports) {
        int entry = EcmpChooser.below(EcmpChooser.hash(tag, ~seed), ENTRIES);
        long nowPs = clock.nowPs();
        if (lastPs[entry] != NEVER && nowPs - lastPs[entry] > gapPs) {
            turns[entry]++;
        }
        lastPs[entry] = nowPs;
        int hash = EcmpChooser.hash(tag, seed + turns[entry] * NEXT);
        return ports[EcmpChooser.below(hash, ports.length)];
    }
}
