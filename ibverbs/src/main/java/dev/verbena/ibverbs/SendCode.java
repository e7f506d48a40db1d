package dev.verbena.ibverbs;

/// Numbers of the kinds of send requests in libibverbs: `enum ibv_wr_opcode`.
final class SendCode {
    static final int WRITE = 0;
    static final int WRITE_IMMEDIATE = 1;
    static final int SEND = 2;
    static final int SEND_IMMEDIATE = 3;
    static final int READ = 4;
    static final int COMPARE_SWAP = 5;
    static final int FETCH_ADD = 6;
    static final int LOCAL_INVALIDATE = 7;
    static final int BIND = 8;
    static final int SEND_INVALIDATE = 9;

    private SendCode() {}
}
