package dev.verbena.wire.mad;

import java.lang.foreign.MemorySegment;

/// A field of a management attribute, read and written in place.
///
/// An attribute is an enum of its fields. A subnet manager reads an attribute, changes a few of
/// some sixty fields, and writes all of them back: bytes that are edited serve that better than a
/// value with sixty components.
public interface MadField {
    /// The name of the field, as the enum has it.
    String name();

    /// Its first bit, counted from the most significant one of the attribute's first byte.
    int bit();

    /// 1 to 64 bits; with more than 56, the field begins with a byte.
    int width();

    /// The value; of 64 bits, the bits of a long.
    default long read(MemorySegment segment, long at) {
        return BitPlace.read(segment, at, bit(), width());
    }

    /// The value of a field of at most 32 bits.
    default int readInt(MemorySegment segment, long at) {
        return (int) read(segment, at);
    }

    /// Writes this field and no other bit.
    ///
    /// @throws dev.verbena.wire.WireException for a value with more bits than the field
    default void write(MemorySegment segment, long at, long value) {
        BitPlace.require(name(), width(), value);
        BitPlace.write(segment, at, bit(), width(), value);
    }
}
