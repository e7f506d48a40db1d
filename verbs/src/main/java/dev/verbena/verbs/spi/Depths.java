package dev.verbena.verbs.spi;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePairOptions;

/// What every provider asks of the depths of a new queue pair, after its own limits.
public final class Depths {
    private Depths() {}

    /// Refuses a queue that holds more requests than its completion queue holds completions: a
    /// queue pair that fails completes all its requests at once, signaled or not, and those without
    /// room would be lost.
    public static void requireCompletions(QueuePairOptions options) {
        require("send", options.sendDepth(), options.sendCompletions());
        require("receive", options.receiveDepth(), options.receiveCompletions());
    }

    private static void require(String what, int depth, CompletionQueue completions) {
        if (depth > completions.capacity()) {
            throw new InvalidRequestException(
                    completions.toString(),
                    "holds %d completions, fewer than a %s queue of %d requests may need at once"
                            .formatted(completions.capacity(), what, depth),
                    "make the completion queue larger, or the %s depth smaller".formatted(what));
        }
    }
}
