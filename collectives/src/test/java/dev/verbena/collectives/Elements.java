package dev.verbena.collectives;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.verbena.collectives.element.Combiner;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.testkit.Choices;
import java.lang.foreign.MemorySegment;

/// Vectors of a type in memory: random inputs, and what a reduction of them must be.
final class Elements {
    private Elements() {}

    /// Random values of very different sizes and both signs. Halves stay small enough for sums.
    static void fill(MemorySegment bytes, ElementType type, Choices choices) {
        for (long at = 0; at < bytes.byteSize(); at += type.bytes()) {
            double value = choices.between(-(1L << 30), 1L << 30) / 3.0;
            double scaled = Math.scalb(value, -choices.between(16, 40));
            switch (type) {
                case FLOAT64 -> bytes.set(JAVA_DOUBLE_UNALIGNED, at, scaled);
                case FLOAT32 -> bytes.set(JAVA_FLOAT_UNALIGNED, at, (float) scaled);
                case FLOAT16 ->
                        bytes.set(
                                JAVA_SHORT_UNALIGNED,
                                at,
                                Float.floatToFloat16((float) (scaled / 16)));
                case BFLOAT16 ->
                        bytes.set(JAVA_SHORT_UNALIGNED, at, Combiner.toBrain((float) scaled));
                case INT64 -> bytes.set(JAVA_LONG_UNALIGNED, at, choices.bits(64));
                case INT32 -> bytes.set(JAVA_INT_UNALIGNED, at, (int) choices.bits(32));
            }
        }
    }

    static double real(byte[] bytes, ElementType type, long index) {
        MemorySegment segment = MemorySegment.ofArray(bytes);
        long at = index * type.bytes();
        return switch (type) {
            case FLOAT64 -> segment.get(JAVA_DOUBLE_UNALIGNED, at);
            case FLOAT32 -> segment.get(JAVA_FLOAT_UNALIGNED, at);
            case FLOAT16 -> Float.float16ToFloat(segment.get(JAVA_SHORT_UNALIGNED, at));
            case BFLOAT16 -> Combiner.toFloat(segment.get(JAVA_SHORT_UNALIGNED, at));
            case INT64, INT32 -> throw new IllegalArgumentException("a whole number");
        };
    }

    static long whole(byte[] bytes, ElementType type, long index) {
        MemorySegment segment = MemorySegment.ofArray(bytes);
        long at = index * type.bytes();
        return type == ElementType.INT64
                ? segment.get(JAVA_LONG_UNALIGNED, at)
                : segment.get(JAVA_INT_UNALIGNED, at);
    }

    static boolean isReal(ElementType type) {
        return type != ElementType.INT64 && type != ElementType.INT32;
    }

    /// Whether a result is right: whole numbers, minima and maxima exactly; a sum of n values
    /// within (n - 1) roundings of the sum of their magnitudes.
    static boolean isRight(
            byte[][] inputs,
            long index,
            byte[] result,
            long resultIndex,
            ElementType type,
            Reduction reduction) {
        if (!isReal(type)) {
            long expected = whole(inputs[0], type, index);
            for (int i = 1; i < inputs.length; i++) {
                long next = whole(inputs[i], type, index);
                expected =
                        switch (reduction) {
                            case SUM -> expected + next;
                            case MIN -> Math.min(expected, next);
                            case MAX -> Math.max(expected, next);
                        };
            }
            long is = whole(result, type, resultIndex);
            return is == (type == ElementType.INT32 ? (int) expected : expected);
        }
        double expected = real(inputs[0], type, index);
        double magnitudes = Math.abs(expected);
        for (int i = 1; i < inputs.length; i++) {
            double next = real(inputs[i], type, index);
            magnitudes += Math.abs(next);
            expected =
                    switch (reduction) {
                        case SUM -> expected + next;
                        case MIN -> Math.min(expected, next);
                        case MAX -> Math.max(expected, next);
                    };
        }
        double is = real(result, type, resultIndex);
        double bound =
                reduction == Reduction.SUM
                        ? (inputs.length - 1) * 1.01 * magnitudes * rounding(type)
                        : 0;
        return Math.abs(is - expected) <= bound;
    }

    /// The largest relative error of one addition; twice that of a double, because the reference is
    /// made of doubles, too.
    private static double rounding(ElementType type) {
        return switch (type) {
            case FLOAT64 -> 0x1p-52;
            case FLOAT32 -> 0x1p-24;
            case FLOAT16 -> 0x1p-11;
            case BFLOAT16 -> 0x1p-8;
            case INT64, INT32 -> 0;
        };
    }
}
