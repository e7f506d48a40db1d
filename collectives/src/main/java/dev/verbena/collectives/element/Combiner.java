package dev.verbena.collectives.element;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Combines two vectors of elements into a third, which may be one of them.
///
/// There is a loop for each type and each reduction, simple enough for the compiler to turn it into
/// vector instructions.
public abstract class Combiner {
    private static final List<Combiner> DOUBLES =
            List.of(new DoubleSum(), new DoubleMin(), new DoubleMax());
    private static final List<Combiner> FLOATS =
            List.of(new FloatSum(), new FloatMin(), new FloatMax());
    private static final List<Combiner> LONGS =
            List.of(new LongSum(), new LongMin(), new LongMax());
    private static final List<Combiner> INTS = List.of(new IntSum(), new IntMin(), new IntMax());
    private static final List<Combiner> HALVES =
            List.of(new Half(Reduction.SUM), new Half(Reduction.MIN), new Half(Reduction.MAX));
    private static final List<Combiner> BRAINS =
            List.of(new Brain(Reduction.SUM), new Brain(Reduction.MIN), new Brain(Reduction.MAX));

    private Combiner() {}

    public static Combiner of(ElementType type, Reduction reduction) {
        return switch (type) {
            case FLOAT64 -> chosen(reduction, DOUBLES);
            case FLOAT32 -> chosen(reduction, FLOATS);
            case FLOAT16 -> chosen(reduction, HALVES);
            case BFLOAT16 -> chosen(reduction, BRAINS);
            case INT64 -> chosen(reduction, LONGS);
            case INT32 -> chosen(reduction, INTS);
        };
    }

    private static Combiner chosen(Reduction reduction, List<Combiner> all) {
        return switch (reduction) {
            case SUM -> all.get(0);
            case MIN -> all.get(1);
            case MAX -> all.get(2);
        };
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

    private static final class DoubleSum extends Combiner {
        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < count; i++) {
                double a = left.get(JAVA_DOUBLE_UNALIGNED, leftAt + 8 * i);
                double b = right.get(JAVA_DOUBLE_UNALIGNED, rightAt + 8 * i);
                to.set(JAVA_DOUBLE_UNALIGNED, toAt + 8 * i, a + b);
            }
        }
    }

    private static final class DoubleMin extends Combiner {
        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < count; i++) {
                double a = left.get(JAVA_DOUBLE_UNALIGNED, leftAt + 8 * i);
                double b = right.get(JAVA_DOUBLE_UNALIGNED, rightAt + 8 * i);
                to.set(JAVA_DOUBLE_UNALIGNED, toAt + 8 * i, Math.min(a, b));
            }
        }
    }

    private static final class DoubleMax extends Combiner {
        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < count; i++) {
                double a = left.get(JAVA_DOUBLE_UNALIGNED, leftAt + 8 * i);
                double b = right.get(JAVA_DOUBLE_UNALIGNED, rightAt + 8 * i);
                to.set(JAVA_DOUBLE_UNALIGNED, toAt + 8 * i, Math.max(a, b));
            }
        }
    }

    private static final class FloatSum extends Combiner {
        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < count; i++) {
                float a = left.get(JAVA_FLOAT_UNALIGNED, leftAt + 4 * i);
                float b = right.get(JAVA_FLOAT_UNALIGNED, rightAt + 4 * i);
                to.set(JAVA_FLOAT_UNALIGNED, toAt + 4 * i, a + b);
            }
        }
    }

    private static final class FloatMin extends Combiner {
        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < count; i++) {
                float a = left.get(JAVA_FLOAT_UNALIGNED, leftAt + 4 * i);
                float b = right.get(JAVA_FLOAT_UNALIGNED, rightAt + 4 * i);
                to.set(JAVA_FLOAT_UNALIGNED, toAt + 4 * i, Math.min(a, b));
            }
        }
    }

    private static final class FloatMax extends Combiner {
        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < count; i++) {
                float a = left.get(JAVA_FLOAT_UNALIGNED, leftAt + 4 * i);
                float b = right.get(JAVA_FLOAT_UNALIGNED, rightAt + 4 * i);
                to.set(JAVA_FLOAT_UNALIGNED, toAt + 4 * i, Math.max(a, b));
            }
        }
    }

    private static final class LongSum extends Combiner {
        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < count; i++) {
                long a = left.get(JAVA_LONG_UNALIGNED, leftAt + 8 * i);
                long b = right.get(JAVA_LONG_UNALIGNED, rightAt + 8 * i);
                to.set(JAVA_LONG_UNALIGNED, toAt + 8 * i, a + b);
            }
        }
    }

    private static final class LongMin extends Combiner {
        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < count; i++) {
                long a = left.get(JAVA_LONG_UNALIGNED, leftAt + 8 * i);
                long b = right.get(JAVA_LONG_UNALIGNED, rightAt + 8 * i);
                to.set(JAVA_LONG_UNALIGNED, toAt + 8 * i, Math.min(a, b));
            }
        }
    }

    private static final class LongMax extends Combiner {
        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < count; i++) {
                long a = left.get(JAVA_LONG_UNALIGNED, leftAt + 8 * i);
                long b = right.get(JAVA_LONG_UNALIGNED, rightAt + 8 * i);
                to.set(JAVA_LONG_UNALIGNED, toAt + 8 * i, Math.max(a, b));
            }
        }
    }

    private static final class IntSum extends Combiner {
        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < count; i++) {
                int a = left.get(JAVA_INT_UNALIGNED, leftAt + 4 * i);
                int b = right.get(JAVA_INT_UNALIGNED, rightAt + 4 * i);
                to.set(JAVA_INT_UNALIGNED, toAt + 4 * i, a + b);
            }
        }
    }

    private static final class IntMin extends Combiner {
        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < count; i++) {
                int a = left.get(JAVA_INT_UNALIGNED, leftAt + 4 * i);
                int b = right.get(JAVA_INT_UNALIGNED, rightAt + 4 * i);
                to.set(JAVA_INT_UNALIGNED, toAt + 4 * i, Math.min(a, b));
            }
        }
    }

    private static final class IntMax extends Combiner {
        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < count; i++) {
                int a = left.get(JAVA_INT_UNALIGNED, leftAt + 4 * i);
                int b = right.get(JAVA_INT_UNALIGNED, rightAt + 4 * i);
                to.set(JAVA_INT_UNALIGNED, toAt + 4 * i, Math.max(a, b));
            }
        }
    }

    private static final class Half extends Combiner {
        private final Reduction reduction;

        Half(Reduction reduction) {
            this.reduction = reduction;
        }

        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < count; i++) {
                float a = Float.float16ToFloat(left.get(JAVA_SHORT_UNALIGNED, leftAt + 2 * i));
                float b = Float.float16ToFloat(right.get(JAVA_SHORT_UNALIGNED, rightAt + 2 * i));
                float c = reduce(reduction, a, b);
                to.set(JAVA_SHORT_UNALIGNED, toAt + 2 * i, Float.floatToFloat16(c));
            }
        }
    }

    private static final class Brain extends Combiner {
        private final Reduction reduction;

        Brain(Reduction reduction) {
            this.reduction = reduction;
        }

        @Override
        public void combine(
                MemorySegment left,
                long leftAt,
                MemorySegment right,
                long rightAt,
                MemorySegment to,
                long toAt,
                long count) {
            for (long i = 0; i < count; i++) {
                float a = toFloat(left.get(JAVA_SHORT_UNALIGNED, leftAt + 2 * i));
                float b = toFloat(right.get(JAVA_SHORT_UNALIGNED, rightAt + 2 * i));
                float c = reduce(reduction, a, b);
                to.set(JAVA_SHORT_UNALIGNED, toAt + 2 * i, toBrain(c));
            }
        }
    }

    private static float reduce(Reduction reduction, float a, float b) {
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
