package dev.verbena.cli;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.verbena.collectives.element.Combiner;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.memory.Span;
import dev.verbena.job.NcclOperation;
import java.lang.foreign.MemorySegment;

/// Fills vectors and checks results. Values are small whole numbers, so that sums of them are exact
/// in every type.
final class CollData {
    private static final int VALUES = 5;

    private final NcclOperation operation;
    private final ElementType type;
    private final Reduction reduction;
    private final int ranks;
    private final int root;

    CollData(NcclOperation operation, CollFlags flags, int ranks) {
        this.operation = operation;
        type = flags.type();
        reduction = flags.reduction;
        this.ranks = ranks;
        root = flags.root;
    }

    /// What a rank hands in at an element.
    private int value(int rank, long element) {
        return (int) ((element + rank) % VALUES);
    }

    void fill(Span span, int rank) {
        for (long i = 0; i < span.length() / type.bytes(); i++) {
            set(span, i, value(rank, i));
        }
    }

    void clear(Span span) {
        span.memory().segment().asSlice(span.offset(), span.length()).fill((byte) 0x7F);
    }

    /// Number of elements that are not what they should be.
    long wrong(Span output, int rank) {
        boolean hasResult =
                rank == root
                        || !(operation == NcclOperation.REDUCE
                                || operation == NcclOperation.GATHER);
        if (!hasResult) {
            return 0;
        }
        long wrong = 0;
        long count = output.length() / type.bytes();
        for (long i = 0; i < count; i++) {
            wrong += get(output, i) == expected(rank, i, count) ? 0 : 1;
        }
        return wrong;
    }

    private double expected(int rank, long element, long count) {
        long part = count / ranks;
        return switch (operation) {
            case ALL_REDUCE, REDUCE -> reduced(element);
            case REDUCE_SCATTER -> reduced(rank * count + element);
            case BROADCAST -> value(root, element);
            case ALL_GATHER, GATHER -> value((int) (element / part), element % part);
            case SCATTER -> value(root, rank * count + element);
            case ALLTOALL -> value((int) (element / part), rank * part + element % part);
        };
    }

    private double reduced(long element) {
        int result = value(0, element);
        for (int rank = 1; rank < ranks; rank++) {
            int next = value(rank, element);
            result =
                    switch (reduction) {
                        case SUM -> result + next;
                        case MIN -> Math.min(result, next);
                        case MAX -> Math.max(result, next);
                    };
        }
        return rounded(result);
    }

    /// Sums of more ranks than a small type has digits are rounded.
    private double rounded(int value) {
        return switch (type) {
            case FLOAT16 -> Float.float16ToFloat(Float.floatToFloat16(value));
            case BFLOAT16 -> Combiner.toFloat(Combiner.toBrain(value));
            default -> value;
        };
    }

    private void set(Span span, long index, int value) {
        MemorySegment bytes = span.memory().segment();
        long at = span.offset() + index * type.bytes();
        switch (type) {
            case FLOAT64 -> bytes.set(JAVA_DOUBLE_UNALIGNED, at, value);
            case FLOAT32 -> bytes.set(JAVA_FLOAT_UNALIGNED, at, value);
            case FLOAT16 -> bytes.set(JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16(value));
            case BFLOAT16 -> bytes.set(JAVA_SHORT_UNALIGNED, at, Combiner.toBrain(value));
            case INT64 -> bytes.set(JAVA_LONG_UNALIGNED, at, value);
            case INT32 -> bytes.set(JAVA_INT_UNALIGNED, at, value);
        }
    }

    private double get(Span span, long index) {
        MemorySegment bytes = span.memory().segment();
        long at = span.offset() + index * type.bytes();
        return switch (type) {
            case FLOAT64 -> bytes.get(JAVA_DOUBLE_UNALIGNED, at);
            case FLOAT32 -> bytes.get(JAVA_FLOAT_UNALIGNED, at);
            case FLOAT16 -> Float.float16ToFloat(bytes.get(JAVA_SHORT_UNALIGNED, at));
            case BFLOAT16 -> Combiner.toFloat(bytes.get(JAVA_SHORT_UNALIGNED, at));
            case INT64 -> bytes.get(JAVA_LONG_UNALIGNED, at);
            case INT32 -> bytes.get(JAVA_INT_UNALIGNED, at);
        };
    }
}
