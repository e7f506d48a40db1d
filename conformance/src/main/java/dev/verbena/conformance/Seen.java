package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionStatus;
import java.util.OptionalInt;

/// A completion as it was when it was polled; the queue's own object changes with the next poll.
///
/// @param immediate empty when the completion has none
/// @param invalidatedKey empty when no key was invalidated
public record Seen(
        long id,
        CompletionStatus status,
        CompletedOperation operation,
        long byteLength,
        int queuePair,
        OptionalInt immediate,
        OptionalInt invalidatedKey,
        boolean solicited,
        int sourceQueuePair,
        boolean globalHeader) {

    static Seen of(Completion completion) {
        return new Seen(
                completion.id(),
                completion.status(),
                completion.operation(),
                completion.byteLength(),
                completion.queuePair(),
                completion.hasImmediate()
                        ? OptionalInt.of(completion.immediate())
                        : OptionalInt.empty(),
                completion.hasInvalidatedKey()
                        ? OptionalInt.of(completion.invalidatedKey())
                        : OptionalInt.empty(),
                completion.isSolicited(),
                completion.sourceQueuePair(),
                completion.hasGlobalHeader());
    }

    /// Fails the test unless the request went well.
    public Seen succeeded() {
        return ended(CompletionStatus.SUCCESS);
    }

    /// Fails the test unless the request ended so.
    public Seen ended(CompletionStatus expected) {
        assertThat(status).as("status of %s", this).isEqualTo(expected);
        return this;
    }

    /// Fails the test unless it is the end of this operation, over so many bytes.
    public Seen of(CompletedOperation expected, long bytes) {
        assertThat(operation).as("operation of %s", this).isEqualTo(expected);
        assertThat(byteLength).as("byte length of %s", this).isEqualTo(bytes);
        return this;
    }
}
