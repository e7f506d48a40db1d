package dev.verbena.wire.capture;

import dev.verbena.wire.BigEndian;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;

/// A bounded view of the next bytes of a channel, with fields in the byte order of the file.
///
/// The buffer starts small and grows to hold the longest packet, never further; longer stretches
/// are skipped through it.
final class ByteWindow {
    /// The longest packet is the most that is ever asked for in one piece.
    static final int CAPACITY_MAX = CaptureReader.PACKET_BYTES_MAX;

    private static final int CAPACITY_FIRST = 16_384;

    private final ReadableByteChannel channel;
    private byte[] bytes = new byte[CAPACITY_FIRST];
    private ByteBuffer buffer = ByteBuffer.wrap(bytes);
    private MemorySegment segment = MemorySegment.ofArray(bytes);
    private int start;
    private int end;
    private long position;
    private boolean bigEndian;

    ByteWindow(ReadableByteChannel channel) {
        this.channel = channel;
    }

    /// The offset in the file of the window's first byte.
    long position() {
        return position;
    }

    MemorySegment segment() {
        return segment;
    }

    /// Where in [#segment] the window's first byte is.
    int start() {
        return start;
    }

    /// How many bytes have been read ahead.
    int available() {
        return end - start;
    }

    int capacity() {
        return bytes.length;
    }

    void bigEndian(boolean big) {
        bigEndian = big;
    }

    /// Reads until the window holds `count` bytes; false when the file ends before.
    boolean has(int count) throws IOException {
        assert count <= CAPACITY_MAX : "asked for " + count + " bytes in one piece";
        while (available() < count) {
            makeRoom(count);
            if (!fill()) {
                return false;
            }
        }
        return true;
    }

    /// Moves the window on by `count` bytes; false when the file ends before.
    boolean skip(long count) throws IOException {
        long left = count;
        while (left > available()) {
            left -= available();
            advance(available());
            makeRoom(1);
            if (!fill()) {
                return false;
            }
        }
        advance((int) left);
        return true;
    }

    int u16(int at) {
        return bigEndian
                ? BigEndian.u16(segment, start + at)
                : LittleEndian.u16(segment, start + at);
    }

    long u32(int at) {
        return bigEndian
                ? BigEndian.u32(segment, start + at)
                : LittleEndian.u32(segment, start + at);
    }

    int u8(int at) {
        return BigEndian.u8(segment, start + at);
    }

    long i64(int at) {
        return bigEndian
                ? BigEndian.i64(segment, start + at)
                : LittleEndian.i64(segment, start + at);
    }

    private void advance(int count) {
        start += count;
        position += count;
    }

    private void makeRoom(int count) {
        if (start + count <= bytes.length) {
            return;
        }
        int available = available();
        if (count > bytes.length) {
            int capacity = Math.min(CAPACITY_MAX, Math.max(count, 2 * bytes.length));
            bytes = Arrays.copyOfRange(bytes, start, start + capacity);
            buffer = ByteBuffer.wrap(bytes);
            segment = MemorySegment.ofArray(bytes);
        } else {
            System.arraycopy(bytes, start, bytes, 0, available);
        }
        start = 0;
        end = available;
    }

    private boolean fill() throws IOException {
        buffer.limit(bytes.length).position(end);
        int count = channel.read(buffer);
        if (count == 0) {
            // Asking again would spin for as long as the channel has nothing.
            throw new IOException("capture channel gave no bytes: it must be a blocking one");
        }
        if (count < 0) {
            return false;
        }
        end += count;
        return true;
    }
}
