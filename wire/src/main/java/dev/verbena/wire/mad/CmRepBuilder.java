package dev.verbena.wire.mad;

import dev.verbena.wire.Payload;

/// Fills in the fields of [CmRep] by name, because a row of twenty numbers cannot be read.
///
/// Fields that are not named are zero, false or empty; one builder may build many messages.
public final class CmRepBuilder {
    private int localCommunicationId;
    private int remoteCommunicationId;
    private int localQkey;
    private int localQpn;
    private int vendorId;
    private int localEecn;
    private int startingPsn;
    private int responderResources;
    private int initiatorDepth;
    private int targetAckDelay;
    private int failoverAccepted;
    private boolean endToEndFlowControl;
    private int rnrRetryCount;
    private boolean srq;
    private long localCaGuid;
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
        localQkey = value;
        return this;
    }

    public CmRepBuilder localQpn(int value) {
        localQpn = value;
        return this;
    }

    public CmRepBuilder vendorId(int value) {
        vendorId = value;
        return this;
    }

    public CmRepBuilder localEecn(int value) {
        localEecn = value;
        return this;
    }

    public CmRepBuilder startingPsn(int value) {
        startingPsn = value;
        return this;
    }

    public CmRepBuilder responderResources(int value) {
        responderResources = value;
        return this;
    }

    public CmRepBuilder initiatorDepth(int value) {
        initiatorDepth = value;
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
        endToEndFlowControl = value;
        return this;
    }

    public CmRepBuilder rnrRetryCount(int value) {
        rnrRetryCount = value;
        return this;
    }

    public CmRepBuilder srq(boolean value) {
        srq = value;
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
                localQkey,
                localQpn,
                vendorId,
                localEecn,
                startingPsn,
                responderResources,
                initiatorDepth,
                targetAckDelay,
                failoverAccepted,
                endToEndFlowControl,
                rnrRetryCount,
                srq,
                localCaGuid,
                privateData);
    }
}
