package dev.verbena.interop.matrix;

import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import java.util.OptionalInt;

/// A completion, as both sides tell it. Of a failed one only `id` and `status` mean anything.
record Done(
        long id,
        CompletionStatus status,
        CompletedOperation operation,
        long length,
        OptionalInt immediate,
        OptionalInt invalidated) {}
