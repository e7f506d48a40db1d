package dev.verbena.wire.mad;

import dev.verbena.wire.WireException;

/// How long the connection managers wait for each other, as a REQ says it (IBA 12.6.5).
///
/// @param remoteResponseTimeout in which the peer is to answer, a [CmTimeout]
/// @param localResponseTimeout in which the sender answers, a [CmTimeout]
/// @param maxCmRetries how often either side repeats a message, 4 bits
public record CmPatience(int remoteResponseTimeout, int localResponseTimeout, int maxCmRetries) {
    public CmPatience {
        WireException.requireBits("req remote response timeout", remoteResponseTimeout, 5);
        WireException.requireBits("req local response timeout", localResponseTimeout, 5);
        WireException.requireBits("req max cm retries", maxCmRetries, 4);
    }
}
