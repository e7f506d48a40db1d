package dev.verbena.wire.capture;

import dev.verbena.wire.WireException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// The one buffer between a capture writer and its channel.
final class RecordBuffer {
    /// Room for the longest packet with its block around it, so that every record fits.
    static final int CAPACITY = CaptureWriter.PACKET_BYTES_MAX + 4096;

    private final WritableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(CAPACITY);
    private final MemorySegment segment = MemorySegment.ofArray(buffer.array());

    RecordBuffer(WritableByteChannel channel) {
        this.channel = channel;
    }

    /// Where the next record is put together.
    MemorySegment segment() {
        return segment;
    }

    /// Reserves room for a record, and says where in the segment it starts.
    int reserve(int length) throws IOException {
        assert length <= CAPACITY : "record of " + length + " bytes";
        if (length > buffer.remaining()) {
            flush();
        }
        return append(length);
    }

    /// Like [#reserve], for data that is known to fit: the header of a file.
    int append(int length) {
        int at = buffer.position();
        buffer.position(at + length);
        return at;
    }

    void flush() throws IOException {
        buffer.flip();
        try {
            while (buffer.hasRemaining()) {
                if (channel.write(buffer) == 0) {
                    // Trying again would spin for as long as the channel takes nothing.
                    throw new IOException("capture channel took no bytes: it must block");
                }
            }
        } finally {
            // Bytes of a failed write stay first in the buffer.
            buffer.compact();
        }
    }

    void close() throws IOException {
        try (channel) {
            flush();
        }
    }

    static void checkLengths(long originalLength, int length) {
        WireException.requireBits("original length", originalLength, 32);
        if (length < 0 || length > CaptureWriter.PACKET_BYTES_MAX) {
            throw new WireException(
                    "packet of %d bytes; the limit is %d"
                            .formatted(length, CaptureWriter.PACKET_BYTES_MAX));
        }
    }
}
