package dev.verbena.wire.mad;

import dev.verbena.wire.Payload;

/// Fills in the fields of [CmRep] by name, because a row of twenty numbers cannot be read.
///
/// Fields that are not named are zero, false or empty; one builder may build many messages.
public final class CmRepBuilder {
    private int localCommunicationId;
    private int remoteCommunicationId;
    private int vendorId;
    private int targetAckDelay;
    private int failoverAccepted;
    private long localCaGuid;
    private final CmQueuePair.Fields queuePair = new CmQueuePair.Fields();
    private Payload privateData = Payload.EMPTY;

    CmRepBuilder() {}

    public CmRepBuilder localCommunicationId(int value) {
        localCommunicationId = value;
        return this;
    }

    public CmRepBuilder remoteCommunicationId(int value) {
        remoteCommunicationId = value;
        return this;
    }

    public CmRepBuilder localQkey(int value) {
        queuePair.qkey = value;
        return this;
    }

    public CmRepBuilder localQpn(int value) {
        queuePair.qpn = value;
        return this;
    }

    public CmRepBuilder vendorId(int value) {
        vendorId = value;
        return this;
    }

    public CmRepBuilder localEecn(int value) {
        queuePair.eecn = value;
        return this;
    }

    public CmRepBuilder startingPsn(int value) {
        queuePair.startingPsn = value;
        return this;
    }

    public CmRepBuilder responderResources(int value) {
        queuePair.responderResources = value;
        return this;
    }

    public CmRepBuilder initiatorDepth(int value) {
        queuePair.initiatorDepth = value;
        return this;
    }

    public CmRepBuilder targetAckDelay(int value) {
        targetAckDelay = value;
        return this;
    }

    public CmRepBuilder failoverAccepted(int value) {
        failoverAccepted = value;
        return this;
    }

    public CmRepBuilder endToEndFlowControl(boolean value) {
        queuePair.endToEndFlowControl = value;
        return this;
    }

    public CmRepBuilder rnrRetryCount(int value) {
        queuePair.rnrRetryCount = value;
        return this;
    }

    public CmRepBuilder srq(boolean value) {
        queuePair.srq = value;
        return this;
    }

    public CmRepBuilder localCaGuid(long value) {
        localCaGuid = value;
        return this;
    }

    public CmRepBuilder privateData(Payload value) {
        privateData = value;
        return this;
    }

    /// The message; refuses a value that does not fit its field.
    public CmRep build() {
        return new CmRep(
                localCommunicationId,
                remoteCommunicationId,
                vendorId,
                localCaGuid,
                queuePair.build(),
                targetAckDelay,
                failoverAccepted,
                privateData);
    }
}
