package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Bytes as a value: immutable, equal by content.
///
/// The payload of a packet, or the private data of a connection-management message.
public final class Payload {
    public static final Payload EMPTY = new Payload(new byte[0]);

    private final byte[] bytes;

    private Payload(byte[] bytes) {
        this.bytes = bytes;
    }

    /// A copy of the bytes.
    public static Payload of(byte... bytes) {
        return new Payload(bytes.clone());
    }

    /// A copy of `length` bytes at `at`.
    public static Payload parse(MemorySegment segment, long at, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return new Payload(bytes);
    }

    public void emit(MemorySegment segment, long at) {
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, at, bytes.length);
    }

    /// The same bytes with zeros behind them up to exactly `length`; refuses to cut any off.
    public Payload filled(String field, int length) {
        if (bytes.length == length) {
            return this;
        }
        if (bytes.length > length) {
            throw new WireException(
                    "%s of %d bytes does not fit; the most is %d"
                            .formatted(field, bytes.length, length));
        }
        return new Payload(Arrays.copyOf(bytes, length));
    }

    public int length() {
        return bytes.length;
    }

    /// All bytes from `from` on.
    public Payload from(int from) {
        if (from < 0 || from > bytes.length) {
            throw new WireException("no byte %d; there are %d".formatted(from, bytes.length));
        }
        return new Payload(Arrays.copyOfRange(bytes, from, bytes.length));
    }

    /// These bytes and then the other's.
    public Payload plus(Payload other) {
        byte[] both = Arrays.copyOf(bytes, bytes.length + other.bytes.length);
        System.arraycopy(other.bytes, 0, both, bytes.length, other.bytes.length);
        return new Payload(both);
    }

    /// A copy of the bytes.
    public byte[] toArray() {
        return bytes.clone();
    }

    /// A read-only view of the bytes, not a copy.
    public MemorySegment segment() {
        return MemorySegment.ofArray(bytes).asReadOnly();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Payload data && Arrays.equals(bytes, data.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// The bytes in hexadecimal, without zeros at the end.
    @Override
    public String toString() {
        int used = bytes.length;
        while (used > 0 && bytes[used - 1] == 0) {
            used--;
        }
        return "%d bytes [%s]".formatted(bytes.length, HexFormat.of().formatHex(bytes, 0, used));
    }
}
