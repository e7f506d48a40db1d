package dev.verbena.job.replay;

import dev.verbena.collectives.plan.Collective;
import java.util.Locale;

/// A collective operation as one rank calls it.
///
/// @param group index in the groups of the job
/// @param bytes of the input of one rank; of the root for a scatter, of the vector for a broadcast
/// @param root place in the group
public record CollectiveCall(Collective operation, int group, long bytes, int root) {
    String text() {
        String name = operation.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return "%s of %,d bytes".formatted(name, bytes);
    }
}
