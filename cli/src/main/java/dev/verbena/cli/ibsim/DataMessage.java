package dev.verbena.cli.ibsim;

import dev.verbena.fabric.manage.MadEnvelope;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// A management datagram on its way between a client and the server: 288 bytes in network order.
///
/// | byte | field |
/// |---|---|
/// | 0 | destination LID, 16 bits, and 16 bits of zero |
/// | 4 | source LID, likewise |
/// | 8 | destination queue pair |
/// | 12 | source queue pair |
/// | 16 | status: 0, or the number of an error |
/// | 24 | length of the datagram, 64 bits |
/// | 32 | the datagram |
final class DataMessage {
    static final int LENGTH = 288;
    static final int MAD = 32;
    static final int MAD_LENGTH = LENGTH - MAD;

    /// ETIMEDOUT of Linux: stands for an answer that did not come.
    static final int TIMED_OUT = 110;

    private static final int SOURCE_LID = 4;
    private static final int DESTINATION_PAIR = 8;
    private static final int SOURCE_PAIR = 12;
    private static final int STATUS = 16;
    private static final int SIZE = 24;

    private DataMessage() {}

    static MadEnvelope envelope(ByteBuffer bytes) {
        bytes.order(ByteOrder.BIG_ENDIAN);
        return new MadEnvelope(
                bytes.getShort(0) & 0xFFFF,
                bytes.getShort(SOURCE_LID) & 0xFFFF,
                bytes.getInt(DESTINATION_PAIR),
                bytes.getInt(SOURCE_PAIR));
    }

    static int status(ByteBuffer bytes) {
        return bytes.order(ByteOrder.BIG_ENDIAN).getInt(STATUS);
    }

    /// Writes a message anew.
    static void write(ByteBuffer bytes, MadEnvelope envelope, int status, MemorySegment mad) {
        bytes.clear().order(ByteOrder.BIG_ENDIAN);
        bytes.putShort(0, (short) envelope.destinationLid()).putShort(2, (short) 0);
        bytes.putShort(SOURCE_LID, (short) envelope.sourceLid());
        bytes.putShort(SOURCE_LID + 2, (short) 0);
        bytes.putInt(DESTINATION_PAIR, envelope.destinationQueuePair());
        bytes.putInt(SOURCE_PAIR, envelope.sourceQueuePair());
        bytes.putLong(STATUS, 0);
        bytes.putInt(STATUS, status);
        bytes.putLong(SIZE, MAD_LENGTH);
        MemorySegment.copy(mad, 0, MemorySegment.ofBuffer(bytes), MAD, MAD_LENGTH);
        bytes.clear();
    }
}
