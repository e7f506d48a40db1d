package dev.verbena.transport;

import static dev.verbena.verbs.CompletionStatus.BAD_RESPONSE;
import static dev.verbena.verbs.CompletionStatus.LOCAL_PROTECTION_ERROR;
import static dev.verbena.verbs.CompletionStatus.LOCAL_QUEUE_PAIR_ERROR;
import static dev.verbena.verbs.CompletionStatus.REMOTE_ACCESS_ERROR;
import static dev.verbena.verbs.CompletionStatus.REMOTE_INVALID_REQUEST;
import static dev.verbena.verbs.CompletionStatus.REMOTE_OPERATION_ERROR;
import static dev.verbena.verbs.CompletionStatus.WINDOW_BIND_ERROR;

import dev.verbena.verbs.CompletionStatus;
import java.util.Set;

/// What goes wrong on one connection of a seed; all others must not notice.
enum Fault {
    // One request that the peer refuses.
    BAD_KEY(REMOTE_ACCESS_ERROR),
    OUT_OF_BOUNDS(REMOTE_ACCESS_ERROR),
    MISSING_RIGHT(REMOTE_ACCESS_ERROR),
    CLOSED_REGION(REMOTE_ACCESS_ERROR),
    INVALIDATED_KEY(REMOTE_ACCESS_ERROR),
    WRONG_INVALIDATE(REMOTE_ACCESS_ERROR, REMOTE_INVALID_REQUEST),
    OTHER_DOMAIN(REMOTE_ACCESS_ERROR),
    STALE_WINDOW(REMOTE_ACCESS_ERROR),
    OTHER_PAIRS_WINDOW(REMOTE_ACCESS_ERROR),
    OUTSIDE_WINDOW(REMOTE_ACCESS_ERROR),
    WINDOW_WITHOUT_RIGHT(REMOTE_ACCESS_ERROR),
    OPERATION_NOT_ALLOWED(REMOTE_INVALID_REQUEST),
    MISALIGNED_ATOMIC(REMOTE_INVALID_REQUEST),
    SMALL_RECEIVE(REMOTE_INVALID_REQUEST),
    RECEIVE_MEMORY_GONE(REMOTE_OPERATION_ERROR),

    // One request that fails on this side.
    WRONG_LOCAL_INVALIDATE(LOCAL_QUEUE_PAIR_ERROR),
    WRONG_BIND(WINDOW_BIND_ERROR),
    SOURCE_MEMORY_GONE(LOCAL_PROTECTION_ERROR),

    // The way between.
    DEAD,
    DEAF,
    OUTAGE,

    // The peer's program.
    NO_RECEIVES,
    MODIFY_TO_ERROR,
    MODIFY_TO_RESET,
    CLOSE,

    // How the two were connected.
    WRONG_PARTITION,
    MISADDRESSED,
    MTU_MISMATCH(BAD_RESPONSE, REMOTE_INVALID_REQUEST),
    MORE_READS(REMOTE_INVALID_REQUEST);

    /// How requests may end because of it, besides by going unanswered.
    @SuppressWarnings("ImmutableEnumChecker") // made by Set.of, which never changes
    final Set<CompletionStatus> statuses;

    Fault(CompletionStatus... statuses) {
        this.statuses = Set.of(statuses);
    }

    /// Whether it is one request that is posted to fail.
    boolean isRequest() {
        return !statuses.isEmpty() && this != MTU_MISMATCH && this != MORE_READS;
    }

    /// Whether that request fails at the requester, and the peer takes no harm from it.
    boolean isLocal() {
        return this == WRONG_LOCAL_INVALIDATE || this == WRONG_BIND || this == SOURCE_MEMORY_GONE;
    }

    /// Whether it needs windows to happen.
    boolean isAboutWindows() {
        return switch (this) {
            case STALE_WINDOW,
                    OTHER_PAIRS_WINDOW,
                    OUTSIDE_WINDOW,
                    WINDOW_WITHOUT_RIGHT,
                    WRONG_BIND ->
                    true;
            default -> false;
        };
    }

    /// Whether it lies in the receives that are posted.
    boolean isAboutReceives() {
        return this == SMALL_RECEIVE || this == RECEIVE_MEMORY_GONE || this == NO_RECEIVES;
    }

    /// Whether the two never get anything across.
    boolean isConnecting() {
        return this == WRONG_PARTITION || this == MISADDRESSED || this == MTU_MISMATCH;
    }
}
