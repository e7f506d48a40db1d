package dev.verbena.virtual;

import java.util.SplittableRandom;

/// Decides the fate of the packets of one sender.
///
/// Each kind of fault has its own random stream: turning one on does not change which packets
/// another one picks.
final class Fates {
    private static final int DETOUR_DELAYS = 10;

    /// The base of detours where packets take no time.
    private static final long LEAST_DELAY_NS = 100;

    private final VirtualSettings settings;
    private final long detourNs;
    private final SplittableRandom losses;
    private final SplittableRandom duplicates;
    private final SplittableRandom reorders;
    private final SplittableRandom corruptions;
    private final SplittableRandom detours;
    private final SplittableRandom bits;

    Fates(VirtualSettings settings, SplittableRandom random) {
        this.settings = settings;
        detourNs = DETOUR_DELAYS * Math.max(LEAST_DELAY_NS, settings.delay().toNanos());
        losses = random.split();
        duplicates = random.split();
        reorders = random.split();
        corruptions = random.split();
        detours = random.split();
        bits = random.split();
    }

    boolean loses() {
        return happens(losses, settings.loss());
    }

    boolean duplicates() {
        return happens(duplicates, settings.duplicate());
    }

    boolean reorders() {
        return happens(reorders, settings.reorder());
    }

    boolean corrupts() {
        return happens(corruptions, settings.corrupt());
    }

    /// How much longer a packet takes than the others; never nothing.
    long detourNs() {
        return 1 + detours.nextLong(detourNs);
    }

    /// Which of so many bits to flip.
    int bit(int count) {
        return bits.nextInt(count);
    }

    private static boolean happens(SplittableRandom stream, double probability) {
        return probability > 0 && stream.nextDouble() < probability;
    }
}
