package dev.verbena.verbs;

/// The attributes that [QueuePair#modify] can set; codes are the bits of libibverbs'
/// `ibv_qp_attr_mask`.
public enum QueuePairAttribute {
    CURRENT_STATE(1),
    DRAIN_NOTIFY(2),
    ACCESS(3),
    PARTITION_INDEX(4),
    PORT(5),
    QUEUE_KEY(6),
    ADDRESS(7),
    PATH_MTU(8),
    TIMEOUT(9),
    RETRY_COUNT(10),
    RNR_RETRY(11),
    RECEIVE_PSN(12),
    READS_AS_INITIATOR(13),
    MIN_RNR_TIMER(15),
    SEND_PSN(16),
    READS_AS_RESPONDER(17),
    PEER_QUEUE_PAIR(20),
    /// Not every NIC supports this attribute.
    RATE_LIMIT(25);

    private final int code;

    QueuePairAttribute(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
