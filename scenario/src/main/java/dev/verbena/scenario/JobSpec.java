package dev.verbena.scenario;

import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.job.NcclOperation;
import org.jspecify.annotations.Nullable;

/// Work of ranks, one on each of the first hosts.
public sealed interface JobSpec {
    String name();

    /// On hosts 0 to `ranks - 1`.
    int ranks();

    long startPs();

    /// Null where the fastest by estimate is taken.
    @Nullable Algorithm algorithm();

    /// The same work, however vectors are combined.
    JobSpec byAnyAlgorithm();

    /// The work in words.
    String words();

    /// A collective operation.
    ///
    /// @param bytes of the whole array, as in nccl-tests
    /// @param times how often, one after the other
    record Collective(
            String name,
            int ranks,
            long startPs,
            @Nullable Algorithm algorithm,
            NcclOperation operation,
            long bytes,
            int times)
            implements JobSpec {
        @Override
        public JobSpec byAnyAlgorithm() {
            return new Collective(name, ranks, startPs, null, operation, bytes, times);
        }

        @Override
        public String words() {
            return "%d times %s of %,d bytes on %,d ranks, from %s us"
                    .formatted(times, operation, bytes, ranks, startPs / 1e6);
        }
    }

    /// A data-parallel training loop: the gradients are summed bucket by bucket, while the backward
    /// pass goes on.
    ///
    /// @param backwardNs of the whole pass; a bucket is ready after each equal part of it
    record Training(
            String name,
            int ranks,
            long startPs,
            @Nullable Algorithm algorithm,
            int steps,
            int buckets,
            long bucketBytes,
            long forwardNs,
            long backwardNs)
            implements JobSpec {
        @Override
        public JobSpec byAnyAlgorithm() {
            return new Training(
                    name, ranks, startPs, null, steps, buckets, bucketBytes, forwardNs, backwardNs);
        }

        @Override
        public String words() {
            return "%d steps of %d buckets of %,d bytes on %,d ranks, %,d and %,d ns, from %s us"
                    .formatted(
                            steps,
                            buckets,
                            bucketBytes,
                            ranks,
                            forwardNs,
                            backwardNs,
                            startPs / 1e6);
        }
    }
}
