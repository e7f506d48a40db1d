package dev.verbena.testkit;

import java.util.SplittableRandom;

/// Where randomness in tests comes from: one printed number that reproduces the run.
///
/// A random test takes its seed from `-Dseed=…` or from its own fixed default, prints it, and draws
/// everything from [#random].
public final class Seed {
    private final long value;

    private Seed(long value) {
        this.value = value;
    }

    /// The seed for one test: the property if given, else the default. Prints how to repeat the
    /// run.
    public static Seed forTest(String test, long defaultSeed) {
        String given = System.getProperty("seed", "");
        Seed seed = new Seed(given.isEmpty() ? defaultSeed : Long.decode(given));
        System.out.println(test + ": seed " + seed.value + ", repeat with -Dseed=" + seed.value);
        return seed;
    }

    /// How large a campaign is to be: `base` times the property `campaign`, which is 1 unless given
    /// and may be a fraction.
    public static long campaign(long base) {
        String factor = System.getProperty("campaign", "");
        return Math.max(1, Math.round(base * (factor.isEmpty() ? 1 : Double.parseDouble(factor))));
    }

    public long value() {
        return value;
    }

    public SplittableRandom random() {
        return new SplittableRandom(value);
    }
}
