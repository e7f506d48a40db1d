package dev.verbena.collectives.element;

import java.lang.foreign.MemorySegment;

/// Combines two vectors of elements into a third, which may be one of them.
///
/// Types of 32 and 64 bits go through small arrays of the thread, a part of the vector at a time:
/// the compiler makes vector instructions of a loop over arrays, and none of a loop over segments,
/// since two segments may overlap. The copies stay in the nearest cache.
public abstract class Combiner {
    /// Of each of two vectors at once. Measured: less, or more, is slower.
    static final int PART_BYTES = 4096;

    Combiner() {}

    public static Combiner of(ElementType type, Reduction reduction) {
        return Combiners.of(type, reduction);
    }

    /// Makes `count` elements of `to` the combination of those of `left` and `right`. The offsets
    /// are in bytes.
    public abstract void combine(
            MemorySegment left,
            long leftAt,
            MemorySegment right,
            long rightAt,
            MemorySegment to,
            long toAt,
            long count);

    static float reduced(Reduction reduction, float a, float b) {
        return switch (reduction) {
            case SUM -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
        };
    }

    /// A bfloat16 as a float.
    public static float toFloat(short brain) {
        return Float.intBitsToFloat(brain << 16);
    }

    /// The nearest bfloat16, ties to even; a NaN stays one.
    public static short toBrain(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) ((bits >>> 16) | 0x40);
        }
        return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
    }
}
