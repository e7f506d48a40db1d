package dev.verbena.interop.matrix;

/// Where a peer does something else than the standard or its own library says, and a cell is green
/// nevertheless, because what was asked for happened.
enum Difference {
    INVALIDATED_FLAG(
            "rdma_rxe gives libibverbs the kernel's flag for an invalidated key, 4, which there"
                    + " means a good checksum; the library's own is 8"),
    LENGTH_AS_OPERATION(
            "rdma_rxe answers a message that is longer than the receive with NAK 0x63, a failure of"
                    + " its own (status 11 here, 2 there), and not with 0x61, an invalid request (9"
                    + " and 1)"),
    LENGTH_FAILS_PAIR(
            "rdma_rxe fails an unreliable queue pair when a message is longer than the receive,"
                    + " which completes as a local queue pair error (status 2); for UC the"
                    + " standard drops the message and nothing else"),
    ODD_ATOMIC_REFUSED(
            "libibverbs refuses a misaligned atomic in ibv_post_send; sent through ibv_wr_start");

    private final String reason;

    Difference(String reason) {
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
