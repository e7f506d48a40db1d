package dev.verbena.transport.cm;

import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.RejectReason;

/// Why there is no connection.
///
/// @param isSilence nobody answered, however often it was asked
/// @param reason what the peer said, or what was said to it
/// @param privateData what its program added
public record CmFailure(boolean isSilence, RejectReason reason, Payload privateData) {
    static final CmFailure SILENCE = new CmFailure(true, RejectReason.TIMEOUT, Payload.EMPTY);
}
