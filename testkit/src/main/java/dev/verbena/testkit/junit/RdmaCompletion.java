package dev.verbena.testkit.junit;

import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionStatus;

/// A completion as a value that can be kept; the object of a completion queue changes with the next
/// poll.
///
/// @param immediate immediate data from the peer; 0 when there is none
/// @param queuePair the number of the host's queue pair
public record RdmaCompletion(
        long id,
        CompletionStatus status,
        CompletedOperation operation,
        long byteLength,
        int immediate,
        int queuePair) {
    static RdmaCompletion of(Completion seen) {
        return new RdmaCompletion(
                seen.id(),
                seen.status(),
                seen.operation(),
                seen.byteLength(),
                seen.immediate(),
                seen.queuePair());
    }

    public boolean isSuccess() {
        return status == CompletionStatus.SUCCESS;
    }
}
