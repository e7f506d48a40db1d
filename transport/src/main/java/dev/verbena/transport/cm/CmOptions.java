package dev.verbena.transport.cm;

import dev.verbena.wire.mad.CmMad;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.CmRep;
import dev.verbena.wire.mad.CmReq;

/// What two Verbena peers agree on in REQ and REP, as enhanced connection establishment has it: a
/// vendor ID in the message, and options of that vendor in the modifier of the datagram.
///
/// The request offers, the reply takes what it offers too. The private data stays the program's.
/// Another vendor's options are none of ours.
public final class CmOptions {
    /// Ours: `VRB`, an identifier that no authority assigns, with the bit of local ones set.
    public static final int VENDOR = 0x56_5242;

    /// Repeats only what is lost, and takes packets in any order.
    public static final int SELECTIVE_REPEAT = 1;

    private CmOptions() {}

    /// The modifier that belongs to a message which is sent.
    static int modifier(CmMessage message) {
        int vendor =
                switch (message) {
                    case CmReq request -> request.vendorId();
                    case CmRep reply -> reply.vendorId();
                    default -> 0;
                };
        return vendor == VENDOR ? SELECTIVE_REPEAT : 0;
    }

    /// The message of a datagram; one with our vendor ID and none of our options loses the ID, so
    /// that the ID alone tells.
    static CmMessage message(CmMad mad) {
        if ((mad.attributeModifier() & SELECTIVE_REPEAT) != 0) {
            return mad.message();
        }
        return switch (mad.message()) {
            case CmReq it when it.vendorId() == VENDOR ->
                    new CmReq(
                            it.localCommunicationId(),
                            0,
                            it.serviceId(),
                            it.localCaGuid(),
                            it.queuePair(),
                            it.transport(),
                            it.patience(),
                            it.paths(),
                            it.privateData());
            case CmRep it when it.vendorId() == VENDOR ->
                    new CmRep(
                            it.localCommunicationId(),
                            it.remoteCommunicationId(),
                            0,
                            it.localCaGuid(),
                            it.queuePair(),
                            it.targetAckDelay(),
                            it.failoverAccepted(),
                            it.privateData());
            default -> mad.message();
        };
    }
}
