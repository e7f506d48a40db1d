package dev.verbena.wire.mad;

import java.lang.foreign.MemorySegment;

/// A whole connection-management datagram: the common header's varying fields and the message.
///
/// IBA 12.6: the method is always Send, and status and class-specific field are zero. The modifier
/// is zero too, unless the two ends agree on vendor options.
public record CmMad(long transactionId, int attributeModifier, CmMessage message) {

    /// A datagram without vendor options.
    public static CmMad of(long transactionId, CmMessage message) {
        return new CmMad(transactionId, 0, message);
    }

    /// Reads a datagram that [CmMessage#check] accepted.
    public static CmMad parse(MemorySegment segment, long at) {
        return new CmMad(
                Mad.transactionId(segment, at),
                Mad.attributeModifier(segment, at),
                CmMessage.parse(segment, at));
    }

    /// Writes all 256 bytes.
    public void emit(MemorySegment segment, long at) {
        header().emit(segment, at);
        message.emit(segment, at);
    }

    public Mad header() {
        return new Mad(
                ManagementClass.COMMUNICATION,
                CmMessage.CLASS_VERSION,
                MadMethod.SEND,
                0,
                0,
                transactionId,
                message.attributeId(),
                attributeModifier);
    }
}
