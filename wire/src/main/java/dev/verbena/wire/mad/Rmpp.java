package dev.verbena.wire.mad;

import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// The reliable multi-packet protocol of management (IBA 13.6), as subnet administration uses it:
/// an answer longer than a datagram goes in numbered segments, and the receiver says how far it has
/// come and how far the sender may go.
public final class Rmpp {
    public static final int VERSION = 1;
    public static final int DATA = 1;
    public static final int ACKNOWLEDGE = 2;
    public static final int STOP = 3;
    public static final int ABORT = 4;

    public static final int ACTIVE = 1;
    public static final int FIRST = 2;
    public static final int LAST = 4;

    /// Of an abort: the sender has repeated too often; the receiver takes no more; other reasons.
    public static final int ABORT_RETRIES = 126;

    public static final int ABORT_TOO_LONG = 118;
    public static final int ABORT_UNSPECIFIED = 127;

    /// Bytes of the SA's own header, which every segment repeats and which count as payload.
    static final int SA_HEADER = 20;

    private static final int NO_RESPONSE_TIME = 0x1F;

    private Rmpp() {}

    /// Segments of an answer; one without a record is one as well.
    public static int segments(long dataBytes) {
        return (int) Math.max(1, Math.ceilDiv(dataBytes, SaHeader.DATA_LENGTH));
    }

    /// Writes one segment of an answer: the headers of the whole, and this segment's share of the
    /// records.
    ///
    /// @param head a datagram whose common and SA headers each segment gets
    /// @param records all records, one after the other
    /// @param number from 1
    public static void segment(
            MemorySegment head, MemorySegment records, int number, MemorySegment to, long at) {
        long dataBytes = records.byteSize();
        int count = segments(dataBytes);
        if (number < 1 || number > count) {
            throw new WireException("no segment %d: there are %d".formatted(number, count));
        }
        MemorySegment.copy(head, 0, to, at, SaHeader.DATA);
        long from = (number - 1L) * SaHeader.DATA_LENGTH;
        int own = (int) Math.min(SaHeader.DATA_LENGTH, dataBytes - from);
        MemorySegment.copy(records, from, to, at + SaHeader.DATA, own);
        to.asSlice(at + SaHeader.DATA + own, SaHeader.DATA_LENGTH - own).fill((byte) 0);
        boolean isLast = number == count;
        int flags = ACTIVE | (number == 1 ? FIRST : 0) | (isLast ? LAST : 0);
        control(to, at, DATA, flags, number);
        // The first one has the length of the whole, the last one its own.
        long length = dataBytes + (long) count * SA_HEADER;
        SaHeader.PAYLOAD_LENGTH.write(to, at, isLast ? own + SA_HEADER : number == 1 ? length : 0);
    }

    /// Writes an acknowledgement of what has come so far, or a stop or abort.
    ///
    /// @param of a segment of the transaction
    /// @param last the segment up to which all have come
    /// @param window the last segment that may be sent now
    public static void acknowledge(
            MemorySegment of, long ofAt, int last, int window, MemorySegment to, long at) {
        to.asSlice(at, Mad.LENGTH_TOTAL).fill((byte) 0);
        MemorySegment.copy(of, ofAt, to, at, Mad.LENGTH);
        control(to, at, ACKNOWLEDGE, ACTIVE, last);
        SaHeader.PAYLOAD_LENGTH.write(to, at, window);
    }

    /// Writes the end of a transaction that cannot be finished.
    public static void abort(MemorySegment of, long ofAt, int status, MemorySegment to, long at) {
        to.asSlice(at, Mad.LENGTH_TOTAL).fill((byte) 0);
        MemorySegment.copy(of, ofAt, to, at, Mad.LENGTH);
        control(to, at, ABORT, ACTIVE, 0);
        SaHeader.RMPP_STATUS.write(to, at, status);
    }

    private static void control(MemorySegment to, long at, int type, int flags, int number) {
        SaHeader.RMPP_VERSION.write(to, at, VERSION);
        SaHeader.RMPP_TYPE.write(to, at, type);
        SaHeader.RESP_TIME.write(to, at, NO_RESPONSE_TIME);
        SaHeader.RMPP_FLAGS.write(to, at, flags);
        SaHeader.RMPP_STATUS.write(to, at, 0);
        SaHeader.SEGMENT_NUMBER.write(to, at, number);
    }

    /// Whether `length` bytes are a datagram of subnet administration with a right RMPP header, or
    /// without one.
    public static MadVerdict check(MemorySegment segment, long at, int length) {
        if (!Mad.check(segment, at, length).isOk()) {
            return MadVerdict.NOT_A_MAD;
        }
        if (Mad.managementClass(segment, at) != ManagementClass.SUBNET_ADMINISTRATION) {
            return MadVerdict.CLASS_FOREIGN;
        }
        if (Mad.classVersion(segment, at) != SaHeader.CLASS_VERSION) {
            return MadVerdict.CLASS_VERSION;
        }
        if ((SaHeader.RMPP_FLAGS.readInt(segment, at) & ACTIVE) == 0) {
            return MadVerdict.OK;
        }
        if (SaHeader.RMPP_VERSION.readInt(segment, at) != VERSION) {
            return MadVerdict.RMPP_VERSION;
        }
        int type = SaHeader.RMPP_TYPE.readInt(segment, at);
        return type >= DATA && type <= ABORT ? MadVerdict.OK : MadVerdict.RMPP_TYPE;
    }
}
