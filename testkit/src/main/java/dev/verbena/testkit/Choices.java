package dev.verbena.testkit;

import java.util.List;
import java.util.SplittableRandom;

/// The draws that random tests need, all from one seeded stream: same seed, same choices.
///
/// Uniform numbers seldom hit the edges where protocol code breaks; [#interesting] does.
public final class Choices {
    private final SplittableRandom random;

    private Choices(SplittableRandom random) {
        this.random = random;
    }

    public static Choices from(Seed seed) {
        return new Choices(seed.random());
    }

    public static Choices from(long seed) {
        return new Choices(new SplittableRandom(seed));
    }

    /// A stream of its own, so that draws added to one part of a test leave the others as they
    /// were.
    public Choices split() {
        return new Choices(random.split());
    }

    /// A uniform number of `count` bits, 0 to 64; with 64 it may be negative.
    public long bits(int count) {
        requireBits(count, 0);
        return count == 0 ? 0 : random.nextLong() >>> (Long.SIZE - count);
    }

    /// A uniform number from `low` to `high`, both included.
    public int between(int low, int high) {
        return (int) between((long) low, (long) high);
    }

    /// A uniform number from `low` to `high`, both included.
    public long between(long low, long high) {
        if (low > high) {
            throw new IllegalArgumentException("nothing lies between " + low + " and " + high);
        }
        if (high < Long.MAX_VALUE) {
            return random.nextLong(low, high + 1);
        }
        // The exclusive bound of SplittableRandom cannot say "up to the largest long".
        return low == Long.MIN_VALUE ? random.nextLong() : random.nextLong(low - 1, high) + 1;
    }

    /// True with the given probability: never at 0, always at 1.
    public boolean chance(double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException(probability + " is not a probability");
        }
        return random.nextDouble() < probability;
    }

    @SafeVarargs
    public final <T> T pick(T... options) {
        return options[random.nextInt(options.length)];
    }

    public <T> T pick(List<T> options) {
        return options.get(random.nextInt(options.size()));
    }

    public <E extends Enum<E>> E pick(Class<E> type) {
        return pick(type.getEnumConstants());
    }

    public byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /// A number of `count` bits, 1 to 64, that is likely to hurt: 0, 1, the largest, a power of two
    /// or its neighbour, and now and then any other.
    public long interesting(int count) {
        requireBits(count, 1);
        long largest = -1L >>> (Long.SIZE - count);
        long power = 1L << random.nextInt(count);
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> largest;
            case 3 -> largest - 1;
            case 4 -> power;
            case 5 -> power - 1;
            case 6 -> (power + 1) & largest;
            default -> bits(count);
        };
    }

    /// An index into `weights`, each drawn as often as its weight says; weight 0 is never drawn.
    public int weighted(int... weights) {
        long total = 0;
        for (int weight : weights) {
            if (weight < 0) {
                throw new IllegalArgumentException("weight " + weight + " is negative");
            }
            total += weight;
        }
        if (total == 0) {
            throw new IllegalArgumentException("no weight is above 0");
        }
        long left = random.nextLong(total);
        int index = 0;
        while (left >= weights[index]) {
            left -= weights[index];
            index++;
        }
        return index;
    }

    private static void requireBits(int count, int least) {
        if (count < least || count > Long.SIZE) {
            throw new IllegalArgumentException(
                    count + " bits: must be " + least + " to " + Long.SIZE);
        }
    }
}
