package dev.verbena.verbs;

import java.util.List;

/// The result of a work request; codes are those of libibverbs' `ibv_wc_status`.
///
/// [#explanation] describes the meaning and the usual causes of each.
public enum CompletionStatus {
    SUCCESS(0, "done", "The request was carried out."),
    LOCAL_LENGTH_ERROR(
            1,
            "local length error",
            "The message was longer than the memory of the receive request, or than a message may"
                    + " be.",
            "the receive was posted with fewer bytes than the peer sent",
            "the two sides disagree on a message format"),
    LOCAL_QUEUE_PAIR_ERROR(
            2,
            "local queue pair operation error",
            "The queue pair could not carry out a request of its own.",
            "a local invalidate of a key that does not exist or may not be invalidated",
            "a receive request could not be used when its message arrived"),
    LOCAL_PROTECTION_ERROR(
            4,
            "local protection error",
            "The local memory of the request could not be used.",
            "the arena of a registered segment was closed while work was in flight",
            "the region lacks LOCAL_WRITE"),
    FLUSHED(
            5,
            "flushed",
            "The request was not carried out, because the queue pair failed or was stopped. This"
                + " status is never the cause: look at an earlier completion, perhaps of another"
                + " queue.",
            "another request of this queue pair failed; look for the first other status",
            "the program moved the queue pair to ERROR"),
    WINDOW_BIND_ERROR(
            6,
            "window bind error",
            "A memory window could not be bound.",
            "the region lacks WINDOW_BIND",
            "the range lies outside the region",
            "the window is bound already"),
    BAD_RESPONSE(
            7,
            "bad response",
            "The peer's answer does not fit the request.",
            "the two sides have different path MTUs",
            "the peer's implementation is broken",
            "a third party forges packets"),
    LOCAL_ACCESS_ERROR(
            8,
            "local access error",
            "A WRITE with immediate addressed memory that this side does not allow to be written.",
            "the region lacks REMOTE_WRITE"),
    REMOTE_INVALID_REQUEST(
            9,
            "remote invalid request",
            "The peer found the request invalid and failed its queue pair.",
            "the operation is not among the peer queue pair's access rights",
            "more READs or atomics in flight than the peer answers at a time",
            "an atomic on an address that is not a multiple of 8",
            "a message longer than the receive request of the peer"),
    REMOTE_ACCESS_ERROR(
            10,
            "remote access error",
            "The peer does not allow access to that memory, and failed its queue pair.",
            "the remote key is wrong, stale or of another protection domain",
            "the range leaves the region",
            "the region lacks the right: REMOTE_READ, REMOTE_WRITE or REMOTE_ATOMIC"),
    REMOTE_OPERATION_ERROR(
            11,
            "remote operation error",
            "The peer understood the request and could not carry it out.",
            "the memory of the peer's receive request was closed"),
    RETRY_EXCEEDED(
            12,
            "retries exceeded",
            "The peer did not acknowledge the request within the retries of the queue pair.",
            "the peer is gone, or its queue pair is not connected to this one",
            "wrong address, LID, GID or queue pair number in the endpoint",
            "the network drops: a firewall on UDP 4791, a full buffer, an MTU that is too large",
            "the peer's partition key or source address check drops the packets",
            "the timeout is shorter than the round trip"),
    RNR_RETRY_EXCEEDED(
            13,
            "receiver not ready, retries exceeded",
            "The peer had no receive request posted within the retries of the queue pair.",
            "the receiver posts too few receives, or too late: post before connecting",
            "RNR_RETRY is too low; 7 retries for ever"),
    REMOTE_ABORTED(
            16,
            "remote aborted",
            "The peer gave up the message before all of it had arrived.",
            "an unreliable message into a shared receive queue lost a packet, so the rest is void",
            "the peer's queue pair was reset or closed in the middle of the message"),
    FATAL(
            19,
            "fatal",
            "The device cannot continue: the queue pair is lost, and perhaps the whole device.",
            "a fault in the device or its driver: see the kernel log and the vendor error",
            "the device was removed or reset"),
    RESPONSE_TIMEOUT(
            20,
            "response timeout",
            "The answer did not arrive in time. NICs may report this; software reports"
                    + " RETRY_EXCEEDED.",
            "the peer died, or lost its network, before it answered",
            "the network drops large packets and lets small ones through: compare the MTUs"),
    GENERAL(
            21,
            "general error",
            "The device has no better status, or reported one that has no name here.",
            "a fault specific to the device: see the vendor error",
            "a status of a service that Verbena does not have, such as tag matching");

    private final int code;
    private final String title;
    private final String meaning;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of, which never changes
    private final List<String> causes;

    CompletionStatus(int code, String title, String meaning, String... causes) {
        this.code = code;
        this.title = title;
        this.meaning = meaning;
        this.causes = List.of(causes);
    }

    public int code() {
        return code;
    }

    /// A short title for one line of output.
    public String title() {
        return title;
    }

    /// The meaning of the status, in one or two sentences.
    public String meaning() {
        return meaning;
    }

    /// The usual causes, most frequent first.
    public List<String> causes() {
        return causes;
    }

    /// Several lines for a person: the meaning and the likely causes.
    public String explanation() {
        StringBuilder text = new StringBuilder();
        text.append(name()).append(" (status ").append(code).append("): ").append(meaning);
        if (!causes.isEmpty()) {
            text.append("\nLikely causes:");
            for (String cause : causes) {
                text.append("\n  - ").append(cause);
            }
        }
        return text.toString();
    }

    /// The status with this code; [#GENERAL] for codes that no provider uses.
    public static CompletionStatus of(int code) {
        for (CompletionStatus status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        return GENERAL;
    }
}
