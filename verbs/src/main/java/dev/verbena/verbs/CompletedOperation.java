package dev.verbena.verbs;

/// The operation that a completion reports. Codes are those of libibverbs' `ibv_wc_opcode`.
public enum CompletedOperation {
    SEND(0),
    WRITE(1),
    READ(2),
    COMPARE_SWAP(3),
    FETCH_ADD(4),
    BIND_WINDOW(5),
    LOCAL_INVALIDATE(6),
    RECEIVE(128),
    /// A WRITE with immediate used up a receive request; the bytes are not in the memory of that
    /// request.
    RECEIVE_WRITE_IMMEDIATE(129);

    private final int code;

    CompletedOperation(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    public boolean isReceive() {
        return code >= 128;
    }
}
