package dev.verbena.wire.mad;

import dev.verbena.wire.Payload;
import dev.verbena.wire.Verdict;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// A connection-management message (IBA 12.6): the bytes after the common header of its datagram.
///
/// The components of each message are the fields of its table; its constructor refuses values that
/// do not fit and fills short private data with zeros.
public sealed interface CmMessage
        permits CmReq,
                CmMra,
                CmRej,
                CmRep,
                CmRtu,
                CmDreq,
                CmDrep,
                CmSidrReq,
                CmSidrRep,
                CmLap,
                CmApr {
    /// The bytes of every message, behind the common header.
    int LENGTH = Mad.LENGTH_TOTAL - Mad.LENGTH;

    int CLASS_VERSION = 2;

    /// Which message this is.
    int attributeId();

    Payload privateData();

    /// Writes all bytes behind the common header of the datagram at `at`, and none of the header.
    void emit(MemorySegment segment, long at);

    /// Whether `length` bytes are a datagram with a message that [#parse] reads.
    static Verdict check(MemorySegment segment, long at, int length) {
        Verdict mad = Mad.check(segment, at, length);
        if (!mad.isOk()) {
            return mad;
        }
        if (Mad.managementClass(segment, at) != ManagementClass.COMMUNICATION) {
            return Verdict.CM_CLASS_FOREIGN;
        }
        if (Mad.classVersion(segment, at) != CLASS_VERSION) {
            return Verdict.CM_CLASS_VERSION;
        }
        if (Mad.method(segment, at) != MadMethod.SEND) {
            return Verdict.CM_METHOD;
        }
        return switch (Mad.attributeId(segment, at)) {
            case CmReq.ATTRIBUTE_ID,
                    CmMra.ATTRIBUTE_ID,
                    CmRej.ATTRIBUTE_ID,
                    CmRep.ATTRIBUTE_ID,
                    CmRtu.ATTRIBUTE_ID,
                    CmDreq.ATTRIBUTE_ID,
                    CmDrep.ATTRIBUTE_ID,
                    CmSidrReq.ATTRIBUTE_ID,
                    CmSidrRep.ATTRIBUTE_ID,
                    CmLap.ATTRIBUTE_ID,
                    CmApr.ATTRIBUTE_ID ->
                    Verdict.OK;
            default -> Verdict.CM_ATTRIBUTE_UNKNOWN;
        };
    }

    /// Reads the message of a datagram that [#check] accepted.
    static CmMessage parse(MemorySegment segment, long at) {
        int attributeId = Mad.attributeId(segment, at);
        return switch (attributeId) {
            case CmReq.ATTRIBUTE_ID -> CmReq.parse(segment, at);
            case CmMra.ATTRIBUTE_ID -> CmMra.parse(segment, at);
            case CmRej.ATTRIBUTE_ID -> CmRej.parse(segment, at);
            case CmRep.ATTRIBUTE_ID -> CmRep.parse(segment, at);
            case CmRtu.ATTRIBUTE_ID -> CmRtu.parse(segment, at);
            case CmDreq.ATTRIBUTE_ID -> CmDreq.parse(segment, at);
            case CmDrep.ATTRIBUTE_ID -> CmDrep.parse(segment, at);
            case CmSidrReq.ATTRIBUTE_ID -> CmSidrReq.parse(segment, at);
            case CmSidrRep.ATTRIBUTE_ID -> CmSidrRep.parse(segment, at);
            case CmLap.ATTRIBUTE_ID -> CmLap.parse(segment, at);
            case CmApr.ATTRIBUTE_ID -> CmApr.parse(segment, at);
            default ->
                    throw new WireException(
                            "attribute 0x%04x is no connection-management message"
                                    .formatted(attributeId));
        };
    }
}
