package dev.verbena.wire.mad;

import dev.verbena.wire.WireException;

/// The sender's queue pair in a REQ and in a REP (IBA 12.6.5, 12.6.8). Both messages have these
/// fields, each at places of its own.
///
/// @param qpn 24 bits
/// @param qkey of datagrams; 0 for connected services
/// @param eecn the end-to-end context of reliable datagrams, 24 bits; in a REP for XRC, the QPN
/// @param startingPsn the first one the peer is to send
/// @param responderResources READs and atomics that the sender can serve at a time
/// @param initiatorDepth READs and atomics that the sender wants to start at a time
/// @param rnrRetryCount how often the peer's queue pair repeats a request for which there is no
///   receive; 7: without end
/// @param endToEndFlowControl whether the sender's acknowledgements carry credits
/// @param srq whether its receives come from a shared queue
public record CmQueuePair(
        int qpn,
        int qkey,
        int eecn,
        int startingPsn,
        int responderResources,
        int initiatorDepth,
        int rnrRetryCount,
        boolean endToEndFlowControl,
        boolean srq) {
    public CmQueuePair {
        WireException.requireBits("cm qpn", qpn, 24);
        WireException.requireBits("cm eecn", eecn, 24);
        WireException.requireBits("cm starting psn", startingPsn, 24);
        WireException.requireBits("cm responder resources", responderResources, 8);
        WireException.requireBits("cm initiator depth", initiatorDepth, 8);
        WireException.requireBits("cm rnr retry count", rnrRetryCount, 3);
    }

    /// The fields while a builder fills them in.
    static final class Fields {
        int qpn;
        int qkey;
        int eecn;
        int startingPsn;
        int responderResources;
        int initiatorDepth;
        int rnrRetryCount;
        boolean endToEndFlowControl;
        boolean srq;

        CmQueuePair build() {
            return new CmQueuePair(
                    qpn,
                    qkey,
                    eecn,
                    startingPsn,
                    responderResources,
                    initiatorDepth,
                    rnrRetryCount,
                    endToEndFlowControl,
                    srq);
        }
    }
}
