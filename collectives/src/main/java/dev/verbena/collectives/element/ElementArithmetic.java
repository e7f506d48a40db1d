package dev.verbena.collectives.element;

import dev.verbena.verbs.spi.NetworkReduction.Arithmetic;
import java.lang.foreign.MemorySegment;

/// A reduction of elements of a type, for a network.
public record ElementArithmetic(ElementType element, Reduction reduction) implements Arithmetic {
    @Override
    public String type() {
        return element.option();
    }

    @Override
    public String operation() {
        return reduction.toString();
    }

    @Override
    public int elementBytes() {
        return element.bytes();
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
        Combiner.of(element, reduction).combine(left, leftAt, right, rightAt, to, toAt, count);
    }
}
