package dev.verbena.verbs.spi;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.QueuePairOptions;

/// Rules for the depths of queues. `who` is the device or the domain, for the message.
public final class Depths {
    private Depths() {}

    /// Checks the capacity of a new completion queue.
    public static void requireCompletionQueue(Object who, int capacity, int most) {
        requireRange(who, "completion", "completions", capacity, 1, most);
    }

    /// Checks the depth of a new shared receive queue.
    public static void requireSharedQueue(Object who, int depth, int most) {
        requireRange(who, "shared receive", "requests", depth, 1, most);
    }

    /// Checks the depth of a queue of a new queue pair.
    ///
    /// @param which send or receive
    /// @param least 0 where a queue pair may lack the queue
    public static void requireQueue(Object who, String which, int depth, int least, int most) {
        requireRange(who, which, "requests", depth, least, most);
    }

    private static void requireRange(
            Object who, String which, String entries, int depth, int least, int most) {
        if (depth < least || depth > most) {
            throw new LimitExceededException(
                    who.toString(),
                    "no %s queue of %d %s".formatted(which, depth, entries),
                    "use " + least + " to " + most);
        }
    }

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
