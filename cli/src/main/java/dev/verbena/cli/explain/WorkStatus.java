package dev.verbena.cli.explain;

import java.util.Arrays;
import java.util.Optional;

/// The statuses of libibverbs, with its names and its words for them, and the number that mlx5 has
/// for the same thing where logs print that.
enum WorkStatus {
    IBV_WC_SUCCESS(0, -1, "success"),
    IBV_WC_LOC_LEN_ERR(1, 0x01, "local length error"),
    IBV_WC_LOC_QP_OP_ERR(2, 0x02, "local QP operation error"),
    IBV_WC_LOC_EEC_OP_ERR(3, -1, "local EE context operation error"),
    IBV_WC_LOC_PROT_ERR(4, 0x04, "local protection error"),
    IBV_WC_WR_FLUSH_ERR(5, 0x05, "Work Request Flushed Error"),
    IBV_WC_MW_BIND_ERR(6, 0x06, "memory bind operation error"),
    IBV_WC_BAD_RESP_ERR(7, 0x10, "bad response error"),
    IBV_WC_LOC_ACCESS_ERR(8, 0x11, "local access error"),
    IBV_WC_REM_INV_REQ_ERR(9, 0x12, "remote invalid request error"),
    IBV_WC_REM_ACCESS_ERR(10, 0x13, "remote access error"),
    IBV_WC_REM_OP_ERR(11, 0x14, "remote operation error"),
    IBV_WC_RETRY_EXC_ERR(12, 0x15, "transport retry counter exceeded"),
    IBV_WC_RNR_RETRY_EXC_ERR(13, 0x16, "RNR retry counter exceeded"),
    IBV_WC_LOC_RDD_VIOL_ERR(14, -1, "local RDD violation error"),
    IBV_WC_REM_INV_RD_REQ_ERR(15, -1, "remote invalid RD request"),
    IBV_WC_REM_ABORT_ERR(16, 0x22, "aborted error"),
    IBV_WC_INV_EECN_ERR(17, -1, "invalid EE context number"),
    IBV_WC_INV_EEC_STATE_ERR(18, -1, "invalid EE context state"),
    IBV_WC_FATAL_ERR(19, -1, "fatal error"),
    IBV_WC_RESP_TIMEOUT_ERR(20, -1, "response timeout error"),
    IBV_WC_GENERAL_ERR(21, -1, "general error"),
    IBV_WC_TM_ERR(22, -1, "TM error"),
    IBV_WC_TM_RNDV_INCOMPLETE(23, -1, "TM software rendezvous");

    private static final String PREFIX = "IBV_WC_";

    private final int code;
    private final int syndrome;
    private final String words;

    WorkStatus(int code, int syndrome, String words) {
        this.code = code;
        this.syndrome = syndrome;
        this.words = words;
    }

    int code() {
        return code;
    }

    /// What `ibv_wc_status_str` says.
    String words() {
        return words;
    }

    /// Without the prefix, as people write it too.
    String shortName() {
        return name().substring(PREFIX.length());
    }

    /// Whether it belongs to a service that the standard has and nobody built, or to tag matching.
    boolean isForeign() {
        return switch (this) {
            case IBV_WC_LOC_EEC_OP_ERR,
                    IBV_WC_LOC_RDD_VIOL_ERR,
                    IBV_WC_REM_INV_RD_REQ_ERR,
                    IBV_WC_INV_EECN_ERR,
                    IBV_WC_INV_EEC_STATE_ERR,
                    IBV_WC_TM_ERR,
                    IBV_WC_TM_RNDV_INCOMPLETE ->
                    true;
            default -> false;
        };
    }

    static Optional<WorkStatus> of(int code) {
        return Arrays.stream(values()).filter(status -> status.code == code).findFirst();
    }

    static Optional<WorkStatus> ofSyndrome(int syndrome) {
        return Arrays.stream(values()).filter(status -> status.syndrome == syndrome).findFirst();
    }
}
