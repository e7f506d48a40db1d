package dev.verbena.job;

import dev.verbena.collectives.run.LocalWork;
import java.util.List;
import java.util.SplittableRandom;

/// What a host takes for each message and for the bytes that it combines, a little more at one time
/// and a little less at another; some ranks may be slower.
///
/// @param messageNs for each message that is sent or received
/// @param bytesPerSecond that a rank combines
/// @param jitter share of the time that comes on top on average, at random: most of the time less,
///   now and then much more
/// @param seed of the random numbers; those of a rank do not depend on the other ranks
public record HostWork(
        long messageNs, double bytesPerSecond, double jitter, long seed, List<SlowRank> slow)
        implements LocalWork {
    /// Assumed: a GPU that combines 400 GB/s, and half a microsecond for each message.
    public static final HostWork USUAL = new HostWork(500, 400e9, 0.2, 1, List.of());

    private static final double TIME_MAX_NS = 1e12;

    /// A rank that takes longer than the others.
    ///
    /// @param factor by which all of its work takes longer
    /// @param moreNs what each message takes on top
    public record SlowRank(int rank, double factor, long moreNs) {
        public SlowRank {
            if (rank < 0 || !(factor >= 1 && factor <= 1e6) || moreNs < 0 || moreNs > TIME_MAX_NS) {
                throw new IllegalArgumentException(
                        "slow rank %d: %.4g times and %,d ns more: use 1 to a million times, and"
                                        .formatted(rank, factor, moreNs)
                                + " 0 to 1000 s");
            }
        }
    }

    public HostWork {
        if (messageNs < 0 || messageNs > TIME_MAX_NS || !(bytesPerSecond >= 1e6)) {
            throw new IllegalArgumentException(
                    "work of %,d ns a message, %.4g bytes per second: use 0 to 1000 s, and 1 MB/s"
                                    .formatted(messageNs, bytesPerSecond)
                            + " or more");
        }
        if (!(jitter >= 0 && jitter <= 100)) {
            throw new IllegalArgumentException(
                    "jitter %.4g: use a share of the time, 0 to 100".formatted(jitter));
        }
        slow = List.copyOf(slow);
    }

    public HostWork withSeed(long value) {
        return new HostWork(messageNs, bytesPerSecond, jitter, value, slow);
    }

    public HostWork withSlow(List<SlowRank> ranks) {
        return new HostWork(messageNs, bytesPerSecond, jitter, seed, ranks);
    }

    @Override
    public LocalWork of(int rank) {
        return new Rank(this, rank);
    }

    @Override
    public long sendNs(long bytes) {
        return messageNs;
    }

    @Override
    public long receiveNs(long bytes, boolean combines) {
        return messageNs + (combines ? Math.round(bytes / bytesPerSecond * 1e9) : 0);
    }

    /// The work of one rank, with random numbers of its own.
    private static final class Rank implements LocalWork {
        private final HostWork usual;
        private final SplittableRandom random;
        private final double factor;
        private final long moreNs;

        Rank(HostWork usual, int rank) {
            this.usual = usual;
            // Two random numbers between the seed and that of a rank, as with cables.
            long first = new SplittableRandom(usual.seed).nextLong();
            random = new SplittableRandom(new SplittableRandom(first + rank).nextLong());
            double times = 1;
            long more = 0;
            for (SlowRank each : usual.slow) {
                if (each.rank == rank) {
                    times *= each.factor;
                    more += each.moreNs;
                }
            }
            factor = times;
            moreNs = more;
        }

        @Override
        public long sendNs(long bytes) {
            return taken(usual.sendNs(bytes));
        }

        @Override
        public long receiveNs(long bytes, boolean combines) {
            return taken(usual.receiveNs(bytes, combines));
        }

        private long taken(long usualNs) {
            double extra = -Math.log(1 - random.nextDouble()) * usual.jitter;
            return Math.round(usualNs * factor * (1 + extra)) + moreNs;
        }
    }
}
