package dev.verbena.interop.matrix;

import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import java.util.OptionalInt;

/// A completion, as both sides report it. For a failed one, only `id`, `status` and `pair` are
/// valid.
///
/// @param pair the number of the queue pair that it is of
/// @param source of a datagram, the number of the queue pair that it came from
/// @param header whether a datagram's header lies in front of it
record CompletionRecord(
        long id,
        CompletionStatus status,
        CompletedOperation operation,
        long length,
        OptionalInt immediate,
        OptionalInt invalidated,
        int pair,
        int source,
        boolean header) {}
