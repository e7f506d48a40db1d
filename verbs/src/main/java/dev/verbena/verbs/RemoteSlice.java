package dev.verbena.verbs;

import java.nio.ByteBuffer;

/// A piece of a peer's memory, with the key that opens it: a small value to be sent by any channel.
///
/// @param address of the first byte, in the peer's terms
/// @param key the peer's remote key
public record RemoteSlice(long address, long length, int key) {
    /// Bytes of the serialised form: address, length, key, big-endian.
    public static final int LENGTH = 20;

    public RemoteSlice {
        Require.range("remote slice", "length", length, 0, Long.MAX_VALUE);
        // Addresses have no sign; the last byte may be the last there is, but not beyond it.
        if (length > 0 && Long.compareUnsigned(address + (length - 1), address) < 0) {
            throw new InvalidRequestException(
                    "remote slice",
                    "%d bytes from 0x%x on leave the address space".formatted(length, address),
                    "use what the peer's MemoryRegion.remote() says");
        }
    }

    /// A piece of this piece.
    public RemoteSlice slice(long offset, long bytes) {
        Require.within(this, offset, bytes, length);
        return new RemoteSlice(address + offset, bytes, key);
    }

    public byte[] toBytes() {
        return ByteBuffer.allocate(LENGTH).putLong(address).putLong(length).putInt(key).array();
    }

    /// Reads what [#toBytes] wrote.
    public static RemoteSlice of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new InvalidRequestException(
                    "remote slice",
                    bytes.length + " bytes are not a slice",
                    "send the " + LENGTH + " bytes of RemoteSlice.toBytes()");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new RemoteSlice(in.getLong(), in.getLong(), in.getInt());
    }

    /// For logs and messages, which many may read: of the key only the last eight bits.
    @Override
    public String toString() {
        return "remote 0x%x, %d bytes, key ..%02x".formatted(address, length, key & 0xFF);
    }
}
