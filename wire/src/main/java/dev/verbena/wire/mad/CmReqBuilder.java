package dev.verbena.wire.mad;

import dev.verbena.wire.Payload;

/// Fills in the fields of [CmReq] by name, because a row of twenty numbers cannot be read.
///
/// Fields that are not named are zero, false or empty; one builder may build many messages.
public final class CmReqBuilder {
    private int localCommunicationId;
    private int vendorId;
    private long serviceId;
    private long localCaGuid;
    private int remoteEecn;
    private int remoteResponseTimeout;
    private int transportServiceType;
    private int localResponseTimeout;
    private int retryCount;
    private int pkey;
    private int pathMtu;
    private boolean rdcExists;
    private int maxCmRetries;
    private int extendedTransportType;
    private CmPath primary = CmPath.NONE;
    private CmPath alternate = CmPath.NONE;
    private boolean sapSupported;
    private final CmQueuePair.Fields queuePair = new CmQueuePair.Fields();
    private Payload privateData = Payload.EMPTY;

    CmReqBuilder() {}

    public CmReqBuilder localCommunicationId(int value) {
        localCommunicationId = value;
        return this;
    }

    public CmReqBuilder vendorId(int value) {
        vendorId = value;
        return this;
    }

    public CmReqBuilder serviceId(long value) {
        serviceId = value;
        return this;
    }

    public CmReqBuilder localCaGuid(long value) {
        localCaGuid = value;
        return this;
    }

    public CmReqBuilder localQkey(int value) {
        queuePair.qkey = value;
        return this;
    }

    public CmReqBuilder localQpn(int value) {
        queuePair.qpn = value;
        return this;
    }

    public CmReqBuilder responderResources(int value) {
        queuePair.responderResources = value;
        return this;
    }

    public CmReqBuilder localEecn(int value) {
        queuePair.eecn = value;
        return this;
    }

    public CmReqBuilder initiatorDepth(int value) {
        queuePair.initiatorDepth = value;
        return this;
    }

    public CmReqBuilder remoteEecn(int value) {
        remoteEecn = value;
        return this;
    }

    public CmReqBuilder remoteResponseTimeout(int value) {
        remoteResponseTimeout = value;
        return this;
    }

    public CmReqBuilder transportServiceType(int value) {
        transportServiceType = value;
        return this;
    }

    public CmReqBuilder endToEndFlowControl(boolean value) {
        queuePair.endToEndFlowControl = value;
        return this;
    }

    public CmReqBuilder startingPsn(int value) {
        queuePair.startingPsn = value;
        return this;
    }

    public CmReqBuilder localResponseTimeout(int value) {
        localResponseTimeout = value;
        return this;
    }

    public CmReqBuilder retryCount(int value) {
        retryCount = value;
        return this;
    }

    public CmReqBuilder pkey(int value) {
        pkey = value;
        return this;
    }

    public CmReqBuilder pathMtu(int value) {
        pathMtu = value;
        return this;
    }

    public CmReqBuilder rdcExists(boolean value) {
        rdcExists = value;
        return this;
    }

    public CmReqBuilder rnrRetryCount(int value) {
        queuePair.rnrRetryCount = value;
        return this;
    }

    public CmReqBuilder maxCmRetries(int value) {
        maxCmRetries = value;
        return this;
    }

    public CmReqBuilder srq(boolean value) {
        queuePair.srq = value;
        return this;
    }

    public CmReqBuilder extendedTransportType(int value) {
        extendedTransportType = value;
        return this;
    }

    public CmReqBuilder primary(CmPath value) {
        primary = value;
        return this;
    }

    public CmReqBuilder alternate(CmPath value) {
        alternate = value;
        return this;
    }

    public CmReqBuilder sapSupported(boolean value) {
        sapSupported = value;
        return this;
    }

    public CmReqBuilder privateData(Payload value) {
        privateData = value;
        return this;
    }

    /// The message; refuses a value that does not fit its field.
    public CmReq build() {
        return new CmReq(
                localCommunicationId,
                vendorId,
                serviceId,
                localCaGuid,
                queuePair.build(),
                new CmTransport(
                        transportServiceType,
                        extendedTransportType,
                        retryCount,
                        remoteEecn,
                        rdcExists),
                new CmPatience(remoteResponseTimeout, localResponseTimeout, maxCmRetries),
                new CmPaths(pkey, pathMtu, primary, alternate, sapSupported),
                privateData);
    }
}
