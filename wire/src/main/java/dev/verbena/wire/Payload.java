package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;

/// Bytes as a value: they never change, and equal content is equal.
public final class Payload {
    public static final Payload EMPTY = new Payload(new byte[0]);

    private final byte[] bytes;

    private Payload(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Payload of(byte... bytes) {
        return new Payload(bytes.clone());
    }

    public static Payload copyOf(MemorySegment segment, long at, long length) {
        return new Payload(segment.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
    }

    public int length() {
        return bytes.length;
    }

    public byte[] toArray() {
        return bytes.clone();
    }

    public void emit(MemorySegment segment, long at) {
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, at, bytes.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload payload && Arrays.equals(bytes, payload.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
