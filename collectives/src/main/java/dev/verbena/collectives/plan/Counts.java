package dev.verbena.collectives.plan;

/// How many elements belong to each rank, where the ranks differ, and where they lie.
public final class Counts {
    private final long[] counts;
    private final long[] offsets;

    private Counts(long[] counts, long[] offsets) {
        this.counts = counts;
        this.offsets = offsets;
    }

    /// The elements of each rank; they lie one after the other.
    public static Counts of(long... counts) {
        long[] offsets = new long[counts.length];
        long offset = 0;
        for (int i = 0; i < counts.length; i++) {
            offsets[i] = offset;
            offset += counts[i];
        }
        return at(counts, offsets);
    }

    /// The elements of each rank and the offset of each. Only an all-to-all has its own offsets.
    public static Counts at(long[] counts, long[] offsets) {
        if (counts.length != offsets.length) {
            throw new IllegalArgumentException(
                    counts.length + " counts and " + offsets.length + " offsets: must be as many");
        }
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] < 0 || offsets[i] < 0) {
                throw new IllegalArgumentException(
                        "rank %d has %d elements at offset %d: must not be negative"
                                .formatted(i, counts[i], offsets[i]));
            }
        }
        return new Counts(counts.clone(), offsets.clone());
    }

    public int size() {
        return counts.length;
    }

    public long count(int rank) {
        return counts[rank];
    }

    public long offset(int rank) {
        return offsets[rank];
    }

    public long total() {
        long total = 0;
        for (long count : counts) {
            total += count;
        }
        return total;
    }

    /// Whether the elements lie one after the other.
    boolean packed() {
        long offset = 0;
        for (int i = 0; i < counts.length; i++) {
            if (offsets[i] != offset) {
                return false;
            }
            offset += counts[i];
        }
        return true;
    }
}
