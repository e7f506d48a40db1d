package dev.verbena.wire.mad;

import dev.verbena.wire.WireException;
import java.util.HashMap;
import java.util.Map;

/// Why a connection was refused or given up (IBA 12.6.7.2); a code without a meaning is one too.
public record RejectReason(int code) {
    private static final Map<Integer, String> SENTENCES = new HashMap<>();

    public static final RejectReason NO_QP = known(1, "no queue pair is available");
    public static final RejectReason NO_EEC = known(2, "no end-to-end context is available");
    public static final RejectReason NO_RESOURCES = known(3, "no resources are available");
    public static final RejectReason TIMEOUT = known(4, "an answer did not come in time");
    public static final RejectReason UNSUPPORTED = known(5, "the request is not supported");
    public static final RejectReason INVALID_COMMUNICATION_ID =
            known(6, "the communication ID is not known");
    public static final RejectReason INVALID_COMMUNICATION_INSTANCE =
            known(7, "the communication IDs and queue pairs do not belong together");
    public static final RejectReason INVALID_SERVICE_ID =
            known(8, "no program listens on the service ID");
    public static final RejectReason INVALID_TRANSPORT_SERVICE_TYPE =
            known(9, "the listener serves another transport service type");
    public static final RejectReason STALE_CONNECTION =
            known(10, "an older connection still holds the queue pair");
    public static final RejectReason RDC_DOES_NOT_EXIST =
            known(11, "the reliable datagram channel does not exist");
    public static final RejectReason PRIMARY_GID = known(12, "the primary remote GID is wrong");
    public static final RejectReason PRIMARY_LID = known(13, "the primary remote LID is wrong");
    public static final RejectReason PRIMARY_SL =
            known(14, "the primary service level is not possible");
    public static final RejectReason PRIMARY_TRAFFIC_CLASS =
            known(15, "the primary traffic class is not possible");
    public static final RejectReason PRIMARY_HOP_LIMIT =
            known(16, "the primary hop limit is not possible");
    public static final RejectReason PRIMARY_PACKET_RATE =
            known(17, "the primary packet rate is not possible");
    public static final RejectReason ALTERNATE_GID = known(18, "the alternate remote GID is wrong");
    public static final RejectReason ALTERNATE_LID = known(19, "the alternate remote LID is wrong");
    public static final RejectReason ALTERNATE_SL =
            known(20, "the alternate service level is not possible");
    public static final RejectReason ALTERNATE_TRAFFIC_CLASS =
            known(21, "the alternate traffic class is not possible");
    public static final RejectReason ALTERNATE_HOP_LIMIT =
            known(22, "the alternate hop limit is not possible");
    public static final RejectReason ALTERNATE_PACKET_RATE =
            known(23, "the alternate packet rate is not possible");
    public static final RejectReason PORT_AND_CM_REDIRECTION =
            known(24, "another port and connection manager serve this; ask there");
    public static final RejectReason PORT_REDIRECTION =
            known(25, "another port serves this; ask for it");
    public static final RejectReason INVALID_PATH_MTU = known(26, "the path MTU is not possible");
    public static final RejectReason INSUFFICIENT_RESPONDER_RESOURCES =
            known(27, "the responder resources are too few");
    public static final RejectReason CONSUMER_DEFINED =
            known(28, "the program refused; its private data may say why");
    public static final RejectReason INVALID_RNR_RETRY_COUNT =
            known(29, "the RNR retry count is not possible");
    public static final RejectReason DUPLICATE_LOCAL_COMMUNICATION_ID =
            known(30, "the local communication ID is already in use");
    public static final RejectReason INVALID_CLASS_VERSION =
            known(31, "the class version is not supported");
    public static final RejectReason PRIMARY_FLOW_LABEL =
            known(32, "the primary flow label is not possible");
    public static final RejectReason ALTERNATE_FLOW_LABEL =
            known(33, "the alternate flow label is not possible");
    public static final RejectReason VENDOR_OPTION_NOT_SUPPORTED =
            known(35, "the vendor's option is not supported");

    public RejectReason {
        WireException.requireBits("reject reason", code, 16);
    }

    private static RejectReason known(int code, String sentence) {
        SENTENCES.put(code, sentence);
        return new RejectReason(code);
    }

    public boolean isKnown() {
        return SENTENCES.containsKey(code);
    }

    public String sentence() {
        return SENTENCES.getOrDefault(code, "no meaning is known for this reason");
    }

    @Override
    public String toString() {
        return code + ": " + sentence();
    }
}
