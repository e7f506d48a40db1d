package dev.verbena.verbs;

/// States of a queue pair (IBA 10.3.1); [QueuePairTransitions] lists the transitions between them.
///
/// | state | receives posted | sends posted | packets received | requests sent |
/// |---|---|---|---|---|
/// | RESET | refused | refused | dropped | no |
/// | INIT | held | refused | dropped | no |
/// | READY_TO_RECEIVE | yes | refused | yes, and answered | no |
/// | READY_TO_SEND | yes | yes | yes | yes |
/// | SEND_QUEUE_DRAINED | yes | held | yes | only what was begun |
/// | SEND_QUEUE_ERROR | yes | flushed | yes | no |
/// | ERROR | flushed | flushed | dropped | no |
public enum QueuePairState {
    RESET(0, "RESET"),
    INIT(1, "INIT"),
    READY_TO_RECEIVE(2, "RTR"),
    READY_TO_SEND(3, "RTS"),
    SEND_QUEUE_DRAINED(4, "SQD"),
    SEND_QUEUE_ERROR(5, "SQE"),
    ERROR(6, "ERR");

    private final int code;
    private final String symbol;

    QueuePairState(int code, String symbol) {
        this.code = code;
        this.symbol = symbol;
    }

    /// The number of libibverbs' `ibv_qp_state`.
    public int code() {
        return code;
    }

    /// The name that the specification and the tools use.
    public String symbol() {
        return symbol;
    }

    public boolean takesReceives() {
        return this != RESET;
    }

    public boolean takesSends() {
        return code >= READY_TO_SEND.code;
    }

    /// Whether the queue pair processes packets of the peer.
    public boolean answers() {
        return code >= READY_TO_RECEIVE.code && this != ERROR;
    }
}
