package dev.verbena.collectives.plan;

import org.jspecify.annotations.Nullable;

/// What [Algorithm#IN_NETWORK] takes, as the network says.
///
/// @param latencyNs of an empty vector, from the begin to the result
/// @param bytesPerSecond of a long vector
public record NetworkCosts(double latencyNs, double bytesPerSecond) {
    /// Whether switches carry out an operation: each rank hands in one vector, and all of them
    /// become one.
    public static boolean supports(Collective operation) {
        return switch (operation) {
            case ALL_REDUCE, REDUCE, BARRIER -> true;
            case REDUCE_SCATTER, ALL_GATHER, BROADCAST, GATHER, SCATTER, ALL_TO_ALL -> false;
        };
    }

    double seconds(double bytes) {
        return latencyNs / 1e9 + bytes / bytesPerSecond;
    }

    /// Asks the network about one operation. The answer may take resources of the network: a choice
    /// that does not need it does not ask. All ranks ask alike.
    @FunctionalInterface
    public interface Source {
        /// No network that reduces.
        Source NONE = () -> null;

        /// Null where the network does not carry out the operation.
        @Nullable NetworkCosts costs();

        /// The same; where the network does not carry it out, it is said why.
        default @Nullable NetworkCosts demanded() {
            return costs();
        }
    }
}
