package dev.verbena.transport.cm;

import dev.verbena.wire.Payload;
import dev.verbena.wire.mad.RejectReason;

/// The reason why there is no connection.
///
/// @param isSilence whether the peer did not reply to any attempt
/// @param reason the reason that the peer gave, or that was sent to it
/// @param privateData private data of the peer's program
public record CmFailure(boolean isSilence, RejectReason reason, Payload privateData) {
    static final CmFailure SILENCE = new CmFailure(true, RejectReason.TIMEOUT, Payload.EMPTY);
}
