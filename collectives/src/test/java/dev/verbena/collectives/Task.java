package dev.verbena.collectives;

import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.plan.Collective;
import dev.verbena.testkit.Choices;

/// An operation to try.
///
/// @param count elements, of a vector or of a part
/// @param seed of the inputs
record Task(
        Collective operation,
        ElementType type,
        Reduction reduction,
        long count,
        int root,
        boolean inPlace,
        long seed) {
    boolean reduces() {
        return operation == Collective.ALL_REDUCE
                || operation == Collective.REDUCE
                || operation == Collective.REDUCE_SCATTER;
    }

    boolean gathers() {
        return operation == Collective.ALL_GATHER || operation == Collective.GATHER;
    }

    boolean hasParts() {
        return switch (operation) {
            case REDUCE_SCATTER, ALL_GATHER, GATHER, SCATTER, ALL_TO_ALL -> true;
            case ALL_REDUCE, BROADCAST, REDUCE, BARRIER -> false;
        };
    }

    long bytes() {
        return count * type.bytes();
    }

    long inputBytes(int size) {
        return hasParts() && !gathers() ? bytes() * size : bytes();
    }

    long outputBytes(int size) {
        return gathers() || operation == Collective.ALL_TO_ALL ? bytes() * size : bytes();
    }

    static Task random(int size, Choices choices) {
        long count =
                switch (choices.weighted(4, 4, 2, 1)) {
                    case 0 -> choices.between(0, 20);
                    case 1 -> choices.between(1, 600);
                    case 2 -> choices.between(600, 3000);
                    default -> choices.between(3000, 20_000);
                };
        Collective operation = choices.pick(Collective.class);
        return new Task(
                operation,
                choices.pick(ElementType.class),
                choices.pick(Reduction.class),
                count,
                choices.between(0, size - 1),
                operation != Collective.ALL_TO_ALL && choices.chance(0.4),
                choices.bits(60));
    }
}
