package dev.verbena.wire.mad;

import dev.verbena.wire.WireException;

/// The transport service that a REQ asks for (IBA 12.6.5).
///
/// @param serviceType one of the `SERVICE_` numbers of [CmReq], 2 bits
/// @param extendedType with [CmReq#SERVICE_EXTENDED], 3 bits; 1 is XRC
/// @param retryCount how often both queue pairs repeat a request without an answer, 3 bits
/// @param remoteEecn the peer's end-to-end context of reliable datagrams, 24 bits
/// @param rdcExists whether the two sides have a reliable datagram channel
public record CmTransport(
        int serviceType, int extendedType, int retryCount, int remoteEecn, boolean rdcExists) {
    public CmTransport {
        WireException.requireBits("req transport service type", serviceType, 2);
        WireException.requireBits("req extended transport type", extendedType, 3);
        WireException.requireBits("req retry count", retryCount, 3);
        WireException.requireBits("req remote eecn", remoteEecn, 24);
    }
}
