package dev.verbena.ibverbs;

import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.spi.WorkKind;
import dev.verbena.verbs.spi.WorkRules;

/// How much a send request may hold.
///
/// @param pieces of memory
/// @param message bytes of a message
/// @param packet bytes of a datagram, which is one packet (IBA 9.8.4)
record SendLimits(int pieces, long message, int packet) {
    static final String MORE_PIECES = "use fewer, larger, or open the device with sge=N";

    static SendLimits of(IbvContext context) {
        return new SendLimits(
                context.abilities.pieces(), context.limits.messageBytes(), context.activeMtu());
    }

    long bytes(QueuePairType type, WorkKind kind) {
        return WorkRules.mostBytes(kind, type, packet, message);
    }
}
