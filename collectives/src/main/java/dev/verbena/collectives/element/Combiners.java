package dev.verbena.collectives.element;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// The combiners, one for each type and reduction.
final class Combiners {
    private static final List<Combiner> DOUBLES = all(DoubleCombiner::new);
    private static final List<Combiner> FLOATS = all(FloatCombiner::new);
    private static final List<Combiner> LONGS = all(LongCombiner::new);
    private static final List<Combiner> INTS = all(IntCombiner::new);
    private static final List<Combiner> HALVES = all(HalfCombiner::new);
    private static final List<Combiner> BRAINS = all(BrainCombiner::new);

    private Combiners() {}

    private static List<Combiner> all(Function<Reduction, Combiner> made) {
        return Stream.of(Reduction.SUM, Reduction.MIN, Reduction.MAX).map(made).toList();
    }

    static Combiner of(ElementType type, Reduction reduction) {
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
}
