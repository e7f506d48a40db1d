package dev.verbena.job;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.memory.RankMemory;
import java.lang.foreign.MemorySegment;

/// Small whole numbers in memory of any type.
final class Numbers {
    private Numbers() {}

    static void set(RankMemory memory, ElementType type, long index, int value) {
        MemorySegment to = memory.segment();
        switch (type) {
            case FLOAT64 -> to.setAtIndex(JAVA_DOUBLE, index, value);
            case FLOAT32 -> to.setAtIndex(JAVA_FLOAT, index, value);
            case FLOAT16 -> to.setAtIndex(JAVA_SHORT, index, Float.floatToFloat16(value));
            case BFLOAT16 ->
                    to.setAtIndex(
                            JAVA_SHORT, index, (short) (Float.floatToRawIntBits(value) >>> 16));
            case INT64 -> to.setAtIndex(JAVA_LONG, index, value);
            case INT32 -> to.setAtIndex(JAVA_INT, index, value);
        }
    }

    static long get(RankMemory memory, ElementType type, long index) {
        MemorySegment from = memory.segment();
        return switch (type) {
            case FLOAT64 -> (long) from.getAtIndex(JAVA_DOUBLE, index);
            case FLOAT32 -> (long) from.getAtIndex(JAVA_FLOAT, index);
            case FLOAT16 -> (long) Float.float16ToFloat(from.getAtIndex(JAVA_SHORT, index));
            case BFLOAT16 -> (long) Float.intBitsToFloat(from.getAtIndex(JAVA_SHORT, index) << 16);
            case INT64 -> from.getAtIndex(JAVA_LONG, index);
            case INT32 -> from.getAtIndex(JAVA_INT, index);
        };
    }
}
