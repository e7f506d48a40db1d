package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Puts the segments of one answer together, in their order, up to a limit. It takes memory as
/// segments come, not as their headers promise.
public final class RmppAssembly {
    private static final int BYTES_MAX = 1 << 28;
    private static final int FIRST_BYTES = 4 * SaHeader.DATA_LENGTH;

    private final long transactionId;
    private final int attributeId;
    private final int bytesMax;
    private byte[] bytes = new byte[0];
    private int length;
    private int last;
    private int recordLength;
    private boolean isComplete;

    /// @param bytesMax of records; a longer answer is refused
    public RmppAssembly(long transactionId, int attributeId, int bytesMax) {
        if (bytesMax < 1 || bytesMax > BYTES_MAX) {
            throw new WireException(
                    "an answer of %d bytes: use 1 to %d".formatted(bytesMax, BYTES_MAX));
        }
        this.transactionId = transactionId;
        this.attributeId = attributeId;
        this.bytesMax = bytesMax;
    }

    /// Takes the next segment, or a datagram that is a whole answer. A segment that has come before
    /// is accepted and left out.
    public MadVerdict take(MemorySegment segment, long at, int size) {
        MadVerdict verdict = Rmpp.check(segment, at, size);
        if (!verdict.isOk()) {
            return verdict;
        }
        if (Mad.transactionId(segment, at) != transactionId
                || Mad.attributeId(segment, at) != attributeId) {
            return MadVerdict.SEGMENT_FOREIGN;
        }
        int flags = SaHeader.RMPP_FLAGS.readInt(segment, at);
        if ((flags & Rmpp.ACTIVE) == 0) {
            return MadVerdict.RMPP_INACTIVE;
        }
        if (SaHeader.RMPP_TYPE.readInt(segment, at) != Rmpp.DATA) {
            return MadVerdict.RMPP_TYPE;
        }
        int number = SaHeader.SEGMENT_NUMBER.readInt(segment, at);
        if (number >= 1 && number <= last) {
            return MadVerdict.OK;
        }
        if (isComplete || number != last + 1) {
            return MadVerdict.SEGMENT_NUMBER;
        }
        if ((number == 1) != ((flags & Rmpp.FIRST) != 0)) {
            return MadVerdict.SEGMENT_FLAGS;
        }
        return append(segment, at, number, (flags & Rmpp.LAST) != 0);
    }

    private MadVerdict append(MemorySegment segment, long at, int number, boolean isLast) {
        long payload = Integer.toUnsignedLong(SaHeader.PAYLOAD_LENGTH.readInt(segment, at));
        int own = SaHeader.DATA_LENGTH;
        if (isLast) {
            if (payload < Rmpp.SA_HEADER || payload > own + Rmpp.SA_HEADER) {
                return MadVerdict.PAYLOAD_LENGTH;
            }
            own = (int) payload - Rmpp.SA_HEADER;
        }
        if (own > bytesMax - length) {
            return MadVerdict.TOO_LONG;
        }
        int units = SaHeader.ATTRIBUTE_OFFSET.readInt(segment, at);
        if (number == 1) {
            recordLength = units * 8;
        }
        if (isLast && length + own > 0 && !divides(length + own)) {
            return MadVerdict.RECORD_LENGTH;
        }
        if (length + own > bytes.length) {
            int room = Math.min(bytesMax, Math.max(FIRST_BYTES, 2 * (length + own)));
            bytes = Arrays.copyOf(bytes, Math.max(room, length + own));
        }
        MemorySegment.copy(segment, at + SaHeader.DATA, MemorySegment.ofArray(bytes), length, own);
        length += own;
        last = number;
        isComplete = isLast;
        return MadVerdict.OK;
    }

    private boolean divides(int whole) {
        return recordLength > 0 && whole % recordLength == 0;
    }

    /// The segment up to which all have come, for the acknowledgement.
    public int last() {
        return last;
    }

    public boolean isComplete() {
        return isComplete;
    }

    /// Records of a complete answer.
    public int records() {
        return length == 0 ? 0 : length / recordLength;
    }

    public int recordLength() {
        return recordLength;
    }

    /// A record of a complete answer, as a view.
    public MemorySegment record(int index) {
        if (!isComplete || index < 0 || index >= records()) {
            throw new WireException(
                    "no record %d: the answer is %s and has %d"
                            .formatted(index, isComplete ? "complete" : "not complete", records()));
        }
        long from = (long) index * recordLength;
        return MemorySegment.ofArray(bytes).asSlice(from, recordLength).asReadOnly();
    }

    /// The first two bytes of a record, which are the LID in those that repeat an attribute.
    public int lid(int index) {
        return BigEndian.u16(record(index), 0);
    }
}
