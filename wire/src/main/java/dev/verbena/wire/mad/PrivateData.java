package dev.verbena.wire.mad;

import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Bytes that a connection-management message carries for its users: immutable, equal by content.
///
/// Every message has room for a fixed number of them and no length field, so a message fills what
/// it is given with zeros up to that number.
public final class PrivateData {
    public static final PrivateData EMPTY = new PrivateData(new byte[0]);

    private final byte[] bytes;

    private PrivateData(byte[] bytes) {
        this.bytes = bytes;
    }

    /// A copy of the bytes.
    public static PrivateData of(byte... bytes) {
        return new PrivateData(bytes.clone());
    }

    /// A copy of `length` bytes at `at`.
    public static PrivateData parse(MemorySegment segment, long at, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return new PrivateData(bytes);
    }

    public void emit(MemorySegment segment, long at) {
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, at, bytes.length);
    }

    /// The same bytes with zeros behind them up to exactly `length`; refuses to cut any off.
    PrivateData filled(String field, int length) {
        if (bytes.length == length) {
            return this;
        }
        if (bytes.length > length) {
            throw new WireException(
                    "%s of %d bytes does not fit; the most is %d"
                            .formatted(field, bytes.length, length));
        }
        return new PrivateData(Arrays.copyOf(bytes, length));
    }

    public int length() {
        return bytes.length;
    }

    /// All bytes from `from` on.
    public PrivateData from(int from) {
        if (from < 0 || from > bytes.length) {
            throw new WireException(
                    "no private data from byte %d; there are %d".formatted(from, bytes.length));
        }
        return new PrivateData(Arrays.copyOfRange(bytes, from, bytes.length));
    }

    /// These bytes and then the other's.
    public PrivateData plus(PrivateData other) {
        byte[] both = Arrays.copyOf(bytes, bytes.length + other.bytes.length);
        System.arraycopy(other.bytes, 0, both, bytes.length, other.bytes.length);
        return new PrivateData(both);
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
        return other instanceof PrivateData data && Arrays.equals(bytes, data.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// The bytes in hexadecimal, without the zeros at the end that most messages are filled with.
    @Override
    public String toString() {
        int used = bytes.length;
        while (used > 0 && bytes[used - 1] == 0) {
            used--;
        }
        return "%d bytes [%s]".formatted(bytes.length, HexFormat.of().formatHex(bytes, 0, used));
    }
}
