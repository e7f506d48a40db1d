package dev.verbena.verbs;

import java.nio.ByteBuffer;

/// A part of a peer's memory, with its key, in a small record. Programs send it over any channel.
///
/// @param address of the first byte, in the address space of the peer
/// @param key the peer's remote key
public record RemoteSlice(long address, long length, int key) {
    /// Bytes of the serialised form: address, length, key, big-endian.
    public static final int LENGTH = 20;

    public RemoteSlice {
        Require.range("remote slice", "length", length, 0, Long.MAX_VALUE);
        // Addresses are unsigned; the slice may include the last byte of the address space, but not
        // go beyond it.
        if (length > 0 && Long.compareUnsigned(address + (length - 1), address) < 0) {
            throw new InvalidRequestException(
                    "remote slice",
                    "%d bytes from 0x%x on leave the address space".formatted(length, address),
                    "use the slice of the peer's MemoryRegion.remote()");
        }
    }

    /// A part of this slice.
    public RemoteSlice slice(long offset, long bytes) {
        Require.within(this, offset, bytes, length);
        return new RemoteSlice(address + offset, bytes, key);
    }

    public byte[] toBytes() {
        return ByteBuffer.allocate(LENGTH).putLong(address).putLong(length).putInt(key).array();
    }

    /// Reads the bytes of [#toBytes], and zeros behind them: private data of a connection arrives
    /// as long as its message has room.
    public static RemoteSlice of(byte[] bytes) {
        if (bytes.length < LENGTH || !isZero(bytes, LENGTH)) {
            throw new InvalidRequestException(
                    "remote slice",
                    bytes.length + " bytes are not a slice",
                    "send the " + LENGTH + " bytes of RemoteSlice.toBytes()");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new RemoteSlice(in.getLong(), in.getLong(), in.getInt());
    }

    private static boolean isZero(byte[] bytes, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /// For logs and messages, which many people may read: shows only the last eight bits of the
    /// key.
    @Override
    public String toString() {
        return "remote 0x%x, %d bytes, key ..%02x".formatted(address, length, key & 0xFF);
    }
}
