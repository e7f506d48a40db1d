package dev.verbena.netty;

import io.netty.buffer.ByteBuf;

/// Bytes that say where in the stream they are: a byte lost, doubled or moved is noticed at once.
final class Numbered {
    private Numbered() {}

    static byte at(long position) {
        // The low bits of the position, changed by the higher ones, so that no period is a power of
        // two, as the sizes of rings are.
        return (byte) (position ^ position / 251);
    }

    static byte[] bytes(long position, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = at(position + i);
        }
        return bytes;
    }

    /// Appends the bytes of a part of the stream, all at once: the paranoid leak detector records
    /// each access to a buffer.
    static ByteBuf fill(ByteBuf buffer, long position, int count) {
        return buffer.writeBytes(bytes(position, count));
    }
}
